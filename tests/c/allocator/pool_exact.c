// A pool counts a block with the 16 bytes before it, or as many as its alignment, to the byte; what
// is resized counts with its new size.
//#Threads:1
//#NoStderr
//#ReferenceFails:what counts differs between runtimes
#include "check.h"
#include <omp.h>
#include <string.h>

static omp_allocator_handle_t pool;

static void expect_left(size_t left)
{
    CHECK(!omp_alloc(left - 15, pool));
    void *rest = omp_alloc(left - 16, pool);
    CHECK(rest);
    omp_free(rest, pool);
}

int main(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 10000}, {omp_atk_fallback, omp_atv_null_fb}};
    pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    volatile size_t most = -1;
    expect_left(10000);
    char *block = omp_alloc(1000, pool);
    strcpy(block, "kept");
    expect_left(10000 - 1016);
    block = omp_realloc(block, 5000, pool, pool);
    expect_left(10000 - 5016);
    CHECK(!omp_realloc(block, 9985, pool, pool));
    expect_left(10000 - 5016);
    block = omp_realloc(block, 9984, pool, pool);
    CHECK(block && !strcmp(block, "kept") && !omp_alloc(1, pool));
    block = omp_realloc(block, 100, pool, pool);
    expect_left(10000 - 116);
    char *aligned = omp_aligned_alloc(1024, 76, pool);
    expect_left(10000 - 116 - 1100);
    // To another allocator, and back.
    block = omp_realloc(block, 200, omp_default_mem_alloc, pool);
    expect_left(10000 - 1100);
    block = omp_realloc(block, 300, pool, omp_default_mem_alloc);
    expect_left(10000 - 1100 - 316);
    CHECK(!strcmp(block, "kept"));
    omp_free(aligned, pool);
    CHECK(!omp_realloc(block, 0, omp_null_allocator, omp_null_allocator));
    expect_left(10000);
    CHECK(!omp_calloc(10, 1000, pool) && !omp_calloc(most, 16, pool));
    expect_left(10000);
    omp_destroy_allocator(pool);
    return check_result();
}
