// Offloading through LLVM's libomptarget, to its device that is the host: target constructs with and
// without nowait among tasks that depend on them, data that stays on the device, copies that libomptarget
// makes in tasks of its own.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 1000, PIECES = 64, ROUNDS = 5 };

// Each piece goes through a chain of its own; afterwards it is what it was.
static void chain(double *piece)
{
#pragma omp target enter data map(to : piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp target parallel for map(tofrom : piece[0 : LENGTH]) nowait depend(inout : piece[0])
    for (int i = 0; i < LENGTH; i++)
        piece[i] += 1;
#pragma omp target update from(piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp task depend(inout : piece[0])
    for (int i = 0; i < LENGTH; i++)
        piece[i] *= 2;
#pragma omp target update to(piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp target map(tofrom : piece[0 : LENGTH]) nowait depend(inout : piece[0])
    for (int i = 0; i < LENGTH; i++)
        piece[i] -= 2;
#pragma omp target exit data map(from : piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp task depend(inout : piece[0])
    for (int i = 0; i < LENGTH; i++)
        piece[i] /= 2;
}

int main(void)
{
    int length = LENGTH * PIECES, on_host = -1;
    double *all = malloc(length * sizeof *all), sum = 0;
    for (int i = 0; i < length; i++)
        all[i] = i;
    printf("devices: %d, the host is %d\n", omp_get_num_devices(), omp_get_initial_device());
#pragma omp target map(from : on_host)
    on_host = omp_is_initial_device();
    printf("on the host: %d\n", on_host);

    // Outside any region, then in one.
    for (int k = 0; k < PIECES; k++)
        chain(all + k * LENGTH);
#pragma omp taskwait
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
#pragma omp single
        for (int k = 0; k < PIECES; k++)
            chain(all + k * LENGTH);
    }
    for (int i = 0; i < length; i++)
        if (all[i] != i) {
            printf("element %d is %g\n", i, all[i]);
            return 1;
        }
#pragma omp target parallel for reduction(+ : sum) map(to : all[0 : length]) map(tofrom : sum)
    for (int i = 0; i < length; i++)
        sum += all[i];
    printf("sum: %g\n", sum);

    int device = omp_get_default_device(), host = omp_get_initial_device();
    size_t bytes = LENGTH * sizeof(double);
    double *there = omp_target_alloc(bytes, device), *back = calloc(LENGTH, sizeof *back);
    omp_depend_t after;
#pragma omp depobj(after) depend(inout : there)
    int failed = omp_target_memcpy_async(there, all, bytes, 0, 0, device, host, 1, &after);
    failed |= omp_target_memcpy_async(back, there, bytes, 0, 0, host, device, 1, &after);
#pragma omp taskwait
#pragma omp depobj(after) destroy
    printf("copied: %d, the last is %g\n", !failed, back[LENGTH - 1]);
    omp_target_free(there, device);
    free(back);
    free(all);
    return 0;
}
