// LLVM's extensions: host, shared and device memory of their own, locked memory.
#include "check.h"
#include <omp.h>

extern void *llvm_omp_target_alloc_host(size_t, int);
extern void *llvm_omp_target_alloc_shared(size_t, int);
extern void *llvm_omp_target_alloc_device(size_t, int);
extern void llvm_omp_target_free_host(void *, int);
extern void llvm_omp_target_free_shared(void *, int);
extern void llvm_omp_target_free_device(void *, int);

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device(), back = 0;
    int *near = llvm_omp_target_alloc_host(sizeof(int), device);
    int *both = llvm_omp_target_alloc_shared(sizeof(int), device);
    int *far = llvm_omp_target_alloc_device(sizeof(int), device);
    CHECK(near != NULL && both != NULL && far != NULL);
    *near = 1;
    *both = 2;
#pragma omp target is_device_ptr(near, both, far)
    {
        *far = *near + *both;
        *both = 20;
        *near = 10;
    }
    CHECK_EQ(*near, 10);
    CHECK_EQ(*both, 20);
    CHECK_EQ(omp_target_memcpy(&back, far, sizeof back, 0, 0, host, device), 0);
    CHECK_EQ(back, 3);
    llvm_omp_target_free_host(near, device);
    llvm_omp_target_free_shared(both, device);
    llvm_omp_target_free_device(far, device);
    return check_result();
}
