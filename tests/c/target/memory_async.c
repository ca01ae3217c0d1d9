// Copies and fills in target tasks: in order with other tasks, by depend objects of either compiler.
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#Threads:1,2,4
//#Repeat:2
//#NoStderr
//#ReferenceFails:libgomp 12 and libomp do not have them
#include "check.h"
#include <omp.h>
#include <string.h>

typedef int copy_function(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *);
typedef int part_function(void *, const void *, size_t, int, const size_t *, const size_t *,
                          const size_t *, const size_t *, const size_t *, int, int, int, omp_depend_t *);
typedef void *fill_function(void *, int, size_t, int, int, omp_depend_t *);

// Weak: the runtimes that the compilers link with do not have them. A reference without a version means
// the functions for clang's depend objects.
extern copy_function omp_target_memcpy_async __attribute__((weak));
extern part_function omp_target_memcpy_rect_async __attribute__((weak));
extern fill_function omp_target_memset_async __attribute__((weak));

// dlvsym(3), without the declarations that need another standard of C.
extern void *dlvsym(void *, const char *, const char *);

static copy_function *copy;
static part_function *copy_part;
static fill_function *fill;

static void find(void)
{
#ifdef __clang__
    copy = omp_target_memcpy_async;
    copy_part = omp_target_memcpy_rect_async;
    fill = omp_target_memset_async;
#else
    copy = dlvsym(NULL, "omp_target_memcpy_async", "OMP_5.1.1");
    copy_part = dlvsym(NULL, "omp_target_memcpy_rect_async", "OMP_5.1.1");
    fill = dlvsym(NULL, "omp_target_memset_async", "GOMP_6.0.1");
    CHECK(omp_target_memcpy_async != copy && omp_target_memset_async != fill);
    CHECK(omp_target_memcpy_rect_async != copy_part);
#endif
}

enum { LENGTH = 200, ROUNDS = 50 };

static int first[LENGTH], second[LENGTH], third[LENGTH];

static int copies(void)
{
    int host = omp_get_initial_device(), failed = 0;
    omp_depend_t to_second, to_third[2];
#pragma omp depobj(to_second) depend(inout : second)
#pragma omp depobj(to_third[0]) depend(in : second)
#pragma omp depobj(to_third[1]) depend(out : third)
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp task depend(out : second)
        for (int i = 0; i < LENGTH; i++)
            first[i] = round + i;
        failed |= copy(second, first, sizeof first - sizeof *first, 0, sizeof *first,
                                          host, host, 1, &to_second);
        failed |= fill(&second[LENGTH - 1], round & 1, sizeof *second, host, 1,
                                          &to_second) != &second[LENGTH - 1];
        // What describes the part may change once the call has returned.
        size_t volume[2] = {10, 5}, to[2] = {3, 2}, from[2] = {1, 4}, there[2] = {20, 10},
               here[2] = {20, 10};
        failed |= copy_part(third, second, sizeof *third, 2, volume, to, from, there,
                                               here, host, host, 2, to_third);
        memset(volume, 0, sizeof volume);
        memset(there, 0, sizeof there);
#pragma omp task depend(in : third) depend(inout : second) firstprivate(round) shared(failed)
        {
            for (int i = 0; i < LENGTH - 1; i++)
                failed |= second[i] != round + i + 1;
            failed |= second[LENGTH - 1] != (round & 1) * 0x1010101;
            for (int i = 0; i < 10; i++)
                for (int j = 0; j < 5; j++)
                    failed |= third[(3 + i) * 10 + 2 + j] != round + 1 + (1 + i) * 10 + 4 + j;
        }
    }
#pragma omp taskwait
#pragma omp depobj(to_second) destroy
#pragma omp depobj(to_third[0]) destroy
#pragma omp depobj(to_third[1]) destroy
    return failed;
}

int main(void)
{
    int failed = 0;
    find();
    CHECK_EQ(copies(), 0);
#pragma omp parallel
#pragma omp single
    failed = copies();
    CHECK_EQ(failed, 0);
    // Without dependences, and for no device.
    int host = omp_get_initial_device();
    CHECK_EQ(copy(third, first, sizeof first, 0, 0, host, host, 0, NULL), 0);
#pragma omp taskwait
    CHECK_EQ(memcmp(third, first, sizeof first), 0);
    CHECK(copy(third, first, 4, 0, 0, host + 1, host, 0, NULL) != 0);
    size_t one = 1, zero = 0;
    CHECK(copy_part(third, first, 4, 1, &one, &zero, &zero, &one, &one, host, -9, 0,
                                       NULL) != 0);
    CHECK(fill(third, 0, 4, host + 2, 0, NULL) == third);
#pragma omp taskwait
    CHECK_EQ(third[0], first[0]);
    return check_result();
}
