// More memory than there is: the routines for allocation answer with null, and the device goes on.
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

extern void *llvm_omp_target_alloc_host(size_t, int);
extern void *llvm_omp_target_alloc_shared(size_t, int);
extern void *llvm_omp_target_alloc_device(size_t, int);

int main(void)
{
    size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 63, SIZE_MAX / 2 + 1, SIZE_MAX / 4};
    for (int device = 0; device <= omp_get_num_devices(); device++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            CHECK(omp_target_alloc(sizes[i], device) == NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CHECK(llvm_omp_target_alloc_host(sizes[i], 0) == NULL);
        CHECK(llvm_omp_target_alloc_shared(sizes[i], 0) == NULL);
        CHECK(llvm_omp_target_alloc_device(sizes[i], 0) == NULL);
    }
    int value = 1;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 2);
    return check_result();
}
