// Traits and memory spaces that do not exist: null and one line, and null means the default
// allocator. In the repetition nothing more is said: one line for each call.
//#Threads:1
//#Stderr:omp_init_allocator: 24 is no value of the trait omp_atk_alignment; no allocator is created\n
//#Stderr:omp_init_allocator: 0 is no value of the trait omp_atk_pool_size; no allocator is created\n
//#Stderr:omp_init_allocator: omp_atv_allocator_fb needs omp_atk_fb_data; no allocator is created\n
//#Stderr:omp_init_allocator: 77 is no value of the trait omp_atk_fb_data; no allocator is created\n
//#Stderr:omp_init_allocator: 14 is no value of the trait omp_atk_partition; no allocator is created\n
//#Stderr:omp_init_allocator: 99 is no trait; no allocator is created\n
//#Stderr:omp_init_allocator: 0x309 is no memory space; no allocator is created\n
//#ReferenceFails:libgomp and libomp say nothing, and accept some of them
#include "check.h"
#include <omp.h>
#include <string.h>

// Each call is a call of its own, with one line.
#define REFUSED(space, key, value)                                                                 \
    do {                                                                                           \
        omp_alloctrait_t trait = {(omp_alloctrait_key_t)(key), value};                             \
        CHECK(!omp_init_allocator((omp_memspace_handle_t)(space), 1, &trait));                     \
    } while (0)

int main(void)
{
    for (int i = 0; i < 3; i++) {
        REFUSED(omp_default_mem_space, omp_atk_alignment, 24);
        REFUSED(omp_default_mem_space, omp_atk_pool_size, 0);
        REFUSED(omp_default_mem_space, omp_atk_fallback, omp_atv_allocator_fb);
        REFUSED(omp_default_mem_space, omp_atk_fb_data, 77);
        REFUSED(omp_default_mem_space, omp_atk_partition, 14);
        REFUSED(omp_default_mem_space, 99, 1);
        REFUSED(777, omp_atk_alignment, 16);
    }
    char *block = omp_alloc(100, omp_null_allocator);
    CHECK(block);
    memset(block, 1, 100);
    omp_free(block, omp_null_allocator);
    return check_result();
}
