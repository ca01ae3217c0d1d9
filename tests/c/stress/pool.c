// Many threads take from one pool and give back: at no time more is taken than its size, and at the
// end nothing; allocators come and go beside it, and some are destroyed before their blocks.
//#Vary:OMP_NUM_THREADS=2|8|24
//#Env:OMP_WAIT_POLICY=passive
//#Timeout:60
//#NoStderr
//#ReferenceFails:what counts differs between runtimes
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 16 << 10, HELD = 8, ROUNDS = 30000, ROOM = 16 };

static omp_allocator_handle_t with(size_t size)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, size}, {omp_atk_fallback, omp_atv_null_fb}};
    return omp_init_allocator(omp_default_mem_space, 2, traits);
}

int main(void)
{
    omp_allocator_handle_t pool = with(POOL);
    // What the program has counts itself, above what it has at any moment: it adds before it frees.
    long taken = 0, refused = 0, rounds = ROUNDS / omp_get_max_threads() * 2;
#pragma omp parallel
    {
        unsigned seed = 1 + omp_get_thread_num();
        char *held[HELD] = {0};
        size_t sizes[HELD] = {0};
        for (long i = 0; i < rounds; i++) {
            seed = seed * 1103515245 + 12345;
            int k = seed >> 16 & (HELD - 1);
            size_t size = 1 + (seed >> 19) % 6000;
            if (held[k]) {
                CHECK(held[k][0] == k && held[k][sizes[k] - 1] == k);
                __atomic_fetch_sub(&taken, sizes[k] + ROOM, __ATOMIC_SEQ_CST);
                omp_free(held[k], pool);
                held[k] = NULL;
                continue;
            }
            char *block = i % 2 ? omp_alloc(size, pool) : omp_calloc(1, size, pool);
            if (!block) {
                __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
                continue;
            }
            long now = __atomic_add_fetch(&taken, size + ROOM, __ATOMIC_SEQ_CST);
            CHECK(now <= POOL);
            memset(block, k, size);
            held[k] = block;
            sizes[k] = size;
            if (i % 64 == 0) {
                omp_allocator_handle_t own = with(2000);
                void *one = omp_alloc(1000, own), *two = omp_alloc(500, own);
                CHECK(one && two && !omp_alloc(500, own));
                omp_free(one, own);
                omp_destroy_allocator(own);
                omp_free(two, omp_null_allocator);
            }
        }
        for (int k = 0; k < HELD; k++) {
            if (held[k])
                __atomic_fetch_sub(&taken, sizes[k] + ROOM, __ATOMIC_SEQ_CST);
            omp_free(held[k], pool);
        }
    }
    CHECK_EQ(taken, 0);
    CHECK(refused > 0);
    void *all = omp_alloc(POOL - ROOM, pool);
    CHECK(all && !omp_alloc(1, pool));
    omp_free(all, pool);
    omp_destroy_allocator(pool);
    return check_result();
}
