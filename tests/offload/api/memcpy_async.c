// The asynchronous copies and fills are tasks: depend objects order them among each other and with other
// tasks, and taskwait waits for them.
//#Threads:1,4
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { LENGTH = 1000 };

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    size_t size = LENGTH * sizeof(int);
    int *source = malloc(size), *back = malloc(size), *filled = malloc(size);
    int *place = omp_target_alloc(size, device), *second = omp_target_alloc(size, device);
    size_t shape[2] = {10, 100}, block[2] = {10, 50}, start[2] = {0, 0}, right[2] = {0, 50};
    for (int turn = 0; turn < 20; turn++) {
        omp_depend_t chain[2];
#pragma omp depobj(chain[0]) depend(inout : place[0])
#pragma omp depobj(chain[1]) depend(inout : second[0])
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(inout : place[0])
            for (int i = 0; i < LENGTH; i++)
                source[i] = i + turn;
            CHECK_EQ(omp_target_memcpy_async(place, source, size, 0, 0, device, host, 1, chain), 0);
#pragma omp target is_device_ptr(place) depend(inout : place[0]) nowait
            for (int i = 0; i < LENGTH; i++)
                place[i] *= 3;
            CHECK_EQ(omp_target_memcpy_async(second, place, size, 0, 0, device, device, 2, chain), 0);
            // The left half of each row is replaced by the right half.
            CHECK_EQ(omp_target_memcpy_rect_async(second, place, sizeof(int), 2, block, start, right, shape, shape,
                                                  device, device, 2, chain), 0);
            CHECK_EQ(omp_target_memcpy_async(back, second, size, 0, 0, host, device, 1, &chain[1]), 0);
            CHECK(omp_target_memset_async(place, 0x11, size, device, 1, chain) == place);
            CHECK_EQ(omp_target_memcpy_async(filled, place, size, 0, 0, host, device, 1, chain), 0);
#pragma omp taskwait
            for (int i = 0; i < LENGTH; i++) {
                int column = i % 100, from = column < 50 ? i + 50 : i;
                CHECK_EQ(back[i], 3 * (from + turn));
                CHECK_EQ(filled[i], 0x11111111);
            }
        }
#pragma omp depobj(chain[0]) destroy
#pragma omp depobj(chain[1]) destroy
    }
    // Without dependences, outside any region.
    CHECK_EQ(omp_target_memcpy_async(place, source, size, 0, 0, device, host, 0, NULL), 0);
#pragma omp taskwait
    CHECK_EQ(omp_target_memcpy_async(back, place, size, 0, 0, host, device, 0, NULL), 0);
#pragma omp taskwait
    CHECK_EQ(back[LENGTH - 1], source[LENGTH - 1]);
    omp_target_free(place, device);
    omp_target_free(second, device);
    free(source);
    free(back);
    free(filled);
    return check_result();
}
