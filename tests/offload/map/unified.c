// With requires unified_shared_memory the device reads and writes the host's data, mapped or not.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

int main(void)
{
    int *heap = malloc(10 * sizeof *heap), array[10] = {0};
    void *seen = NULL;
    heap[0] = 1;
#pragma omp target map(from : seen)
    {
        heap[0] += 10;
        seen = heap;
    }
    CHECK_EQ(heap[0], 11);
    CHECK(seen == heap);
#pragma omp target data map(tofrom : array, heap[0 : 10])
    {
#pragma omp target
        {
            array[0] = 5;
            heap[1] = 6;
        }
        CHECK_EQ(array[0], 5);
        CHECK_EQ(heap[1], 6);
        array[1] = 7;
        int read = 0;
#pragma omp target map(from : read)
        read = array[1];
        CHECK_EQ(read, 7);
    }
    CHECK_EQ(array[0], 5);
    free(heap);
    return check_result();
}
