// Sizes that no memory has: products that overflow, and bytes beyond the address space.
//#Threads:1
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

int main(void)
{
    // Not constants, of which compilers warn.
    volatile size_t most = SIZE_MAX, half = SIZE_MAX / 2, big = (size_t)1 << 47, two = 2;
    for (int i = 0; i <= 8; i++) {
        omp_allocator_handle_t allocator = (omp_allocator_handle_t)i;
        CHECK(!omp_alloc(most, allocator) && !omp_alloc(half, allocator));
        CHECK(!omp_alloc(most - 15, allocator) && !omp_alloc(most - 16, allocator));
        CHECK(!omp_alloc(big, allocator));
        CHECK(!omp_calloc(half, 4, allocator) && !omp_calloc(most, most, allocator));
        // The product is 2 modulo the word.
        CHECK(!omp_calloc(half + two, two, allocator));
        CHECK(!omp_aligned_alloc(4096, most - 4095, allocator));
        CHECK(!omp_aligned_calloc(64, half, 3, allocator));
        CHECK(!omp_aligned_alloc(big, 64, allocator));
        char *block = omp_alloc(10, allocator);
        strcpy(block, "as before");
        CHECK(!omp_realloc(block, most, allocator, allocator));
        CHECK(!omp_realloc(block, big, allocator, omp_null_allocator));
        CHECK(!strcmp(block, "as before"));
        omp_free(block, allocator);
    }
    return check_result();
}
