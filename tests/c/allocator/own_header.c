// Our own header, whose numbers are LLVM's, for both compilers.
//#Threads:1
//#NoStderr
//#ReferenceFails:libgomp 12 refuses LLVM's default memory space
#include "../../../include/omp.h"
#include "check.h"
#include <stdint.h>

int main(void)
{
    const omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 4096},
        {omp_atk_access, omp_atv_all},
        {omp_atk_pool_size, 100000},
        {omp_atk_fallback, omp_atv_null_fb},
        {omp_atk_partition, omp_atv_default},
        {omp_atk_part_size, 1 << 16},
        {omp_atk_atomic_scope, omp_atv_device},
        {omp_atk_target_access, omp_atv_multiple},
        {omp_atk_preferred_device, 0},
    };
    CHECK_EQ(sizeof(omp_allocator_handle_t), 8);
    CHECK_EQ(sizeof(omp_memspace_handle_t), 8);
    CHECK_EQ(sizeof(omp_alloctrait_t), 16);
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 9, traits);
    CHECK(allocator != omp_null_allocator);
    char *block = omp_calloc(10, 5000, allocator);
    CHECK(block && (uintptr_t)block % 4096 == 0 && !omp_alloc(50000, allocator));
    block = omp_realloc(block, 60000, omp_default_mem_alloc, allocator);
    CHECK(block && !block[49999]);
    omp_free(block, omp_default_mem_alloc);
    omp_set_default_allocator(allocator);
    CHECK_EQ(omp_get_default_allocator(), allocator);
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(allocator);
    return check_result();
}
