// The allocation routines with every predefined allocator: contents, alignments, zeros, sizes of 0.
//#Threads:1,4
//#NoStderr
//#ReferenceFails[clang]:libomp warns of allocators, and its blocks are aligned to 8
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

static const omp_allocator_handle_t allocators[] = {
    omp_null_allocator,     omp_default_mem_alloc, omp_large_cap_mem_alloc,
    omp_const_mem_alloc,    omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
    omp_cgroup_mem_alloc,   omp_pteam_mem_alloc,   omp_thread_mem_alloc,
};
enum { ALLOCATORS = sizeof allocators / sizeof allocators[0] };
static const size_t sizes[] = {1, 7, 16, 24, 100, 4096, 300000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static int is_all(const unsigned char *bytes, size_t size, int value)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != value)
            return 0;
    return 1;
}

static void with(omp_allocator_handle_t allocator, size_t size, int fill)
{
    unsigned char *block = omp_alloc(size, allocator);
    CHECK(block && (uintptr_t)block % 16 == 0);
    memset(block, fill, size);
    unsigned char *zeroed = omp_calloc(size, 3, allocator);
    CHECK(zeroed && is_all(zeroed, 3 * size, 0));
    memset(zeroed, ~fill & 255, 3 * size);
    CHECK(is_all(block, size, fill));
    block = omp_realloc(block, 2 * size, allocator, allocator);
    CHECK(block && is_all(block, size, fill));
    memset(block, fill, 2 * size);
    block = omp_realloc(block, size / 2 + 1, omp_null_allocator, omp_null_allocator);
    CHECK(block && is_all(block, size / 2 + 1, fill));
    CHECK(is_all(zeroed, 3 * size, ~fill & 255));
    omp_free(zeroed, allocator);
    omp_free(block, omp_null_allocator);
    for (size_t alignment = 1; alignment <= 1 << 14; alignment *= 4) {
        block = omp_aligned_alloc(alignment, size, allocator);
        CHECK(block && (uintptr_t)block % alignment == 0);
        memset(block, fill, size);
        zeroed = omp_aligned_calloc(alignment, 2, size, allocator);
        CHECK(zeroed && (uintptr_t)zeroed % alignment == 0 && is_all(zeroed, 2 * size, 0));
        CHECK(is_all(block, size, fill));
        omp_free(block, allocator);
        omp_free(zeroed, omp_null_allocator);
    }
}

int main(void)
{
#pragma omp parallel
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < ALLOCATORS; i++)
            for (int k = 0; k < SIZES; k++)
                with(allocators[i], sizes[k], (17 * omp_get_thread_num() + i + k) & 255);

    for (int i = 0; i < ALLOCATORS; i++) {
        CHECK(!omp_alloc(0, allocators[i]));
        CHECK(!omp_aligned_alloc(64, 0, allocators[i]));
        CHECK(!omp_calloc(0, 8, allocators[i]) && !omp_calloc(8, 0, allocators[i]));
        CHECK(!omp_aligned_calloc(64, 0, 8, allocators[i]));
        omp_free(NULL, allocators[i]);
        CHECK(!omp_realloc(omp_alloc(100, allocators[i]), 0, allocators[i], allocators[i]));
        char *fresh = omp_realloc(NULL, 100, allocators[i], omp_null_allocator);
        CHECK(fresh);
        memset(fresh, 1, 100);
        omp_free(fresh, allocators[i]);
        omp_destroy_allocator(omp_null_allocator);
    }
    return check_result();
}
