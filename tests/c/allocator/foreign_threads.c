// Threads that are not OpenMP's allocate, and others free.
//#Threads:1
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 500, THREADS = 6 };
static char *blocks[THREADS][BLOCKS];
static omp_allocator_handle_t pool;

static void *allocate(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < BLOCKS; i++) {
        omp_allocator_handle_t from = i % 3 ? i % 3 == 1 ? omp_null_allocator : omp_const_mem_alloc : pool;
        blocks[me][i] = omp_alloc(1 + i, from);
        memset(blocks[me][i], (int)me, 1 + i);
    }
    return NULL;
}

static void *release(void *argument)
{
    long other = ((long)argument + 1) % THREADS;
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[other][i][0] == other && blocks[other][i][i] == other);
        omp_free(blocks[other][i], omp_null_allocator);
    }
    return NULL;
}

static void run(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, body, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 10 << 20}, {omp_atk_fallback, omp_atv_null_fb}};
    pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    for (int i = 0; i < 3; i++) {
        run(allocate);
        run(release);
    }
    void *most = omp_alloc((10 << 20) - 4096, pool);
    CHECK(most);
    omp_free(most, pool);
    omp_destroy_allocator(pool);
    return check_result();
}
