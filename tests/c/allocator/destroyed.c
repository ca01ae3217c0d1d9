// Blocks outlive their allocator, and its handle does not come back to life: each use is one line.
//#Threads:1
//#Stderr:omp_alloc: 0x[0-9a-f]+ is no allocator, or has been destroyed; the default memory space is used\n
//#Stderr:omp_destroy_allocator: 0x[0-9a-f]+ is no allocator, or has been destroyed; nothing is destroyed\n
//#Stderr:omp_destroy_allocator: omp_large_cap_mem_alloc is predefined; it is not destroyed\n
//#Stderr:omp_set_default_allocator: 0x[0-9a-f]+ is no allocator, or has been destroyed; call ignored\n
//#Stderr:omp_init_allocator: [0-9]+ is no value of the trait omp_atk_fb_data; no allocator is created\n
//#Stderr:omp_aligned_alloc: 0x7fffffffffffffff is no allocator, or has been destroyed; the default memory space is used\n
//#ReferenceFails:other runtimes follow a stale handle
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

static omp_alloctrait_t traits[] = {{omp_atk_pool_size, 10000}, {omp_atk_fallback, omp_atv_null_fb}};

int main(void)
{
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    omp_allocator_handle_t plain = omp_init_allocator(omp_default_mem_space, 0, NULL);
    char *first = omp_alloc(100, pool), *second = omp_alloc(200, pool), *third = omp_alloc(9, plain);
    strcpy(first, "first");
    omp_destroy_allocator(pool);
    omp_destroy_allocator(plain);
    // New allocators do not count what the old one's blocks give back.
    omp_allocator_handle_t new_pools[200];
    for (int i = 0; i < 200; i++) {
        new_pools[i] = omp_init_allocator(omp_default_mem_space, 2, traits);
        CHECK(new_pools[i] != pool && new_pools[i] != plain && new_pools[i]);
    }
    second = omp_realloc(second, 5000, omp_null_allocator, omp_null_allocator);
    CHECK(second && !strcmp(first, "first"));
    omp_free(first, pool);
    omp_free(second, omp_null_allocator);
    omp_free(third, plain);
    for (int i = 0; i < 200; i++) {
        void *most = omp_alloc(9984, new_pools[i]);
        CHECK(most && !omp_alloc(1, new_pools[i]));
        omp_free(most, new_pools[i]);
        omp_destroy_allocator(new_pools[i]);
    }

    char *block = omp_alloc(100, pool);
    CHECK(block);
    omp_free(block, pool);
    omp_destroy_allocator(pool);
    omp_destroy_allocator(omp_large_cap_mem_alloc);
    omp_allocator_handle_t before = omp_get_default_allocator();
    omp_set_default_allocator(pool);
    CHECK_EQ(omp_get_default_allocator(), before);
    omp_alloctrait_t fallback[] = {{omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, pool}};
    CHECK(!omp_init_allocator(omp_default_mem_space, 2, fallback));
    block = omp_aligned_alloc(64, 100, (omp_allocator_handle_t)INT64_MAX);
    CHECK(block);
    omp_free(block, omp_null_allocator);
    return check_result();
}
