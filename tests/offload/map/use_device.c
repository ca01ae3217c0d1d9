// Inside of target data the clauses use_device_ptr and use_device_addr give the device's addresses, and
// is_device_ptr and has_device_addr take them.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { LENGTH = 30 };

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    int *heap = malloc(LENGTH * sizeof *heap), array[LENGTH], scalar = 3, copy[LENGTH] = {0};
    int *kept = heap;
    for (int i = 0; i < LENGTH; i++)
        heap[i] = array[i] = i;
#pragma omp target data map(tofrom : heap[0 : LENGTH], array, scalar)
    {
        void *mapped = omp_get_mapped_ptr(heap, device);
        CHECK(mapped != NULL && mapped != (void *)heap);
#pragma omp target data use_device_ptr(heap)
        {
            CHECK((void *)heap == mapped);
            CHECK_EQ(omp_target_memcpy(copy, heap, sizeof copy, 0, 0, host, device), 0);
            CHECK_EQ(copy[LENGTH - 1], LENGTH - 1);
#pragma omp target is_device_ptr(heap)
            for (int i = 0; i < LENGTH; i++)
                heap[i] += 100;
        }
        CHECK(heap == kept);
#pragma omp target data use_device_addr(array, scalar)
        {
            CHECK((void *)array == omp_get_mapped_ptr(array, device) || array != NULL);
#pragma omp target has_device_addr(array, scalar)
            for (int i = 0; i < LENGTH; i++)
                array[i] += scalar;
        }
        CHECK_EQ(heap[1], 1);
        CHECK_EQ(array[1], 1);
        // The section of a pointer.
#pragma omp target data use_device_addr(heap[0 : LENGTH])
#pragma omp target has_device_addr(heap[0 : LENGTH])
        heap[2] = -2;
    }
    for (int i = 0; i < LENGTH; i++) {
        CHECK_EQ(heap[i], i == 2 ? -2 : i + 100);
        CHECK_EQ(array[i], i + 3);
    }

    // Mapped and used in one construct; what is not mapped keeps its value.
    int *absent = copy;
#pragma omp target data map(tofrom : heap[0 : LENGTH]) use_device_ptr(heap, absent)
    {
        CHECK(heap != kept);
        CHECK(absent == copy);
#pragma omp target is_device_ptr(heap)
        heap[0] = 4242;
    }
    CHECK(heap == kept);
    CHECK_EQ(heap[0], 4242);

    // Memory that only the device has.
    int *place = omp_target_alloc(LENGTH * sizeof *place, device);
    int total = 0;
    CHECK(place != NULL);
#pragma omp target teams distribute parallel for is_device_ptr(place)
    for (int i = 0; i < LENGTH; i++)
        place[i] = i * i;
#pragma omp target parallel for is_device_ptr(place) reduction(+ : total)
    for (int i = 0; i < LENGTH; i++)
        total += place[i];
    CHECK_EQ(total, 29 * 30 * 59 / 6);
    omp_target_free(place, device);
    free(heap);
    return check_result();
}
