// Handles of destroyed allocators under LLVM's Fortran names, which take a handle by value or by
// reference: no such handle is taken for an address, of whatever slot and generation it is.
//#Compilers:clang
//#Threads:1
//#Stderr:omp_set_default_allocator: 0x[0-9a-f]+ is no allocator, or has been destroyed; call ignored\n
//#Stderr:omp_destroy_allocator: 0x[0-9a-f]+ is no allocator, or has been destroyed; nothing is destroyed\n
//#ReferenceFails:libomp follows a stale handle
#include "check.h"
#include <omp.h>
#include <stdint.h>

extern void omp_set_default_allocator_(uintptr_t);
extern void omp_destroy_allocator_(uintptr_t);

enum { HANDLES = 64, ROUNDS = 3 };

int main(void)
{
    static uintptr_t handles[ROUNDS][HANDLES];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < HANDLES; i++)
            handles[round][i] = omp_init_allocator(omp_default_mem_space, 0, NULL);
        for (int i = 0; i < HANDLES; i++)
            omp_destroy_allocator(handles[round][i]);
    }
    uintptr_t before = omp_get_default_allocator();
    int multiples = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < HANDLES; i++) {
            multiples += handles[round][i] % sizeof(uintptr_t) == 0;
            omp_set_default_allocator_(handles[round][i]);
            omp_destroy_allocator_(handles[round][i]);
            omp_set_default_allocator_((uintptr_t)&handles[round][i]);
        }
    // Of another alignment no handle could have been taken for the address of a variable.
    CHECK(multiples >= ROUNDS);
    CHECK_EQ(omp_get_default_allocator(), before);
    return check_result();
}
