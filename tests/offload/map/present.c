// The present modifier accepts what is there, whole or a part, in every construct that has it.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    int array[10], scalar = 1, *heap = malloc(100 * sizeof *heap);
    for (int i = 0; i < 10; i++)
        array[i] = i;
    for (int i = 0; i < 100; i++)
        heap[i] = i;
#pragma omp target enter data map(to : array, scalar, heap[10 : 80])
#pragma omp target map(present, to : array) map(present, tofrom : scalar) map(present, alloc : heap[20 : 10])
    {
        scalar = array[9] + heap[29];
        heap[20] = 1000;
    }
    CHECK_EQ(scalar, 1);
#pragma omp target data map(present, alloc : array[3 : 4])
    {
#pragma omp target map(present, alloc : array[4 : 2])
        array[5] = 50;
    }
    CHECK_EQ(array[5], 5);
#pragma omp target update from(present : array, scalar)
    CHECK_EQ(array[5], 50);
    CHECK_EQ(scalar, 38);
    scalar = 3;
#pragma omp target update to(present : scalar)
#pragma omp target enter data map(present, to : heap[15 : 5])
#pragma omp target exit data map(present, release : heap[15 : 5])
#pragma omp target map(present, tofrom : scalar)
    scalar *= 2;
#pragma omp target exit data map(present, from : array, scalar, heap[10 : 80])
    CHECK_EQ(scalar, 6);
    CHECK_EQ(heap[20], 1000);
    CHECK_EQ(omp_target_is_present(&heap[20], omp_get_default_device()), 0);
    free(heap);
    return check_result();
}
