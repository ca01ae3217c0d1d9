// The limit of a pool, and each fallback.
//#Threads:1
//#NoStderr
//#Stdout:^(null: 6\n){3}default memory: 20\nnull after that: 12\nand again: 12\n$
//#ReferenceFails[clang]:it aborts at a fallback of another allocator
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { POOL = 64 << 10, BLOCK = 10 << 10 };

static omp_allocator_handle_t with(omp_alloctrait_value_t fallback, omp_allocator_handle_t data)
{
    omp_alloctrait_t traits[] = {
        {omp_atk_pool_size, POOL}, {omp_atk_fallback, fallback}, {omp_atk_fb_data, data}};
    omp_allocator_handle_t allocator =
        omp_init_allocator(omp_default_mem_space, data ? 3 : 2, traits);
    CHECK(allocator != omp_null_allocator);
    return allocator;
}

// Returns how many blocks there are before a request fails, 20 at most; frees them.
static int blocks(omp_allocator_handle_t allocator)
{
    char *all[20];
    int count = 0;
    while (count < 20 && (all[count] = omp_alloc(BLOCK, allocator)))
        memset(all[count++], 1, BLOCK);
    for (int i = 0; i < count; i++)
        omp_free(all[i], i % 2 ? allocator : omp_null_allocator);
    return count;
}

int main(void)
{
    omp_allocator_handle_t none = with(omp_atv_null_fb, omp_null_allocator);
    for (int i = 0; i < 3; i++)
        printf("null: %d\n", blocks(none));
    // All of it is there again.
    void *most = omp_alloc(POOL - 1024, none);
    CHECK(most && !omp_alloc(2048, none));
    omp_free(most, none);
    CHECK(!omp_alloc(POOL + 1, none));

    omp_allocator_handle_t memory = with(omp_atv_default_mem_fb, omp_null_allocator);
    printf("default memory: %d\n", blocks(memory));
    omp_allocator_handle_t other = with(omp_atv_allocator_fb, none);
    printf("null after that: %d\n", blocks(other));
    printf("and again: %d\n", blocks(other));
    omp_destroy_allocator(other);
    omp_destroy_allocator(memory);
    omp_destroy_allocator(none);
    return check_result();
}
