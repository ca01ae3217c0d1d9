// The allocation calls of gcc: those of the allocate clause, and of the allocate directive for
// Fortran's allocatables, which gfortran 14 emits. The latter are weak: libgomp 12 lacks them.
//#Compilers:gcc
//#Threads:1,4
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#NoStderr
//#ReferenceFails:libgomp 12 does not have all of them
#include "check.h"
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void *GOMP_alloc(size_t, size_t, uintptr_t);
extern void GOMP_free(void *, uintptr_t);
extern void GOMP_add_alloc(void *) __attribute__((weak));
extern bool GOMP_is_alloc(void *) __attribute__((weak));

int main(void)
{
#pragma omp parallel
    for (uintptr_t i = 0; i <= 8; i++) {
        char *block = GOMP_alloc(64, 100, i);
        CHECK(block && (uintptr_t)block % 64 == 0);
        memset(block, 1, 100);
        GOMP_free(block, i);
        CHECK(!GOMP_alloc(8, 0, i));
        GOMP_free(NULL, i);

        // An allocatable of the directive, and one of malloc.
        char *directive = GOMP_alloc(16, 100, i), *plain = malloc(100);
        CHECK(!GOMP_is_alloc(directive) && !GOMP_is_alloc(plain) && !GOMP_is_alloc(NULL));
        GOMP_add_alloc(directive);
        CHECK(!GOMP_is_alloc(plain) && GOMP_is_alloc(directive));
        CHECK(!GOMP_is_alloc(directive));
        // Reallocated where it is or elsewhere, it is marked anew.
        GOMP_add_alloc(directive);
        CHECK(GOMP_is_alloc(directive));
        directive = omp_realloc(directive, 50000, i, i);
        GOMP_add_alloc(directive);
        CHECK(GOMP_is_alloc(directive));
        GOMP_add_alloc(directive);
        GOMP_free(directive, i);
        CHECK(!GOMP_is_alloc(directive));
        GOMP_add_alloc(plain);
        GOMP_add_alloc(NULL);
        CHECK(!GOMP_is_alloc(plain));
        free(plain);
    }
    return check_result();
}
