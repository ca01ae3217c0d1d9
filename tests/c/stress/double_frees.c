// Threads free the same blocks at the same time: of each block one call succeeds, the others are
// told of, and the heap stays whole. The blocks come from a pool, which is whole at the end.
//#Threads:2,8
//#Timeout:60
//#Flags[gcc]:-Wno-use-after-free
//#Stderr:omp_free: 0x[0-9a-f]+ is no block of an allocator, or has been freed before; it is not freed\n
//#ReferenceFails:other runtimes corrupt the heap
#include "check.h"
#include <omp.h>
#include <string.h>

enum { BLOCKS = 300, ROUNDS = 40 };
static void *blocks[BLOCKS];

int main(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1 << 20}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BLOCKS; i++)
            memset(blocks[i] = omp_alloc(1000 + i, pool), 1, 1000 + i);
#pragma omp parallel
        for (int i = 0; i < BLOCKS; i++)
            omp_free(blocks[i], omp_null_allocator);
    }
    void *all = omp_alloc((1 << 20) - 16, pool);
    CHECK(all);
    omp_free(all, pool);
    omp_destroy_allocator(pool);
    return check_result();
}
