// All workers of a region help with its tasks, also those that were hired from another team and are
// called to help before they have their order. (In a large team workers release workers, which
// takes longer than to make a task.)
//#Env:OMP_WAIT_POLICY=passive
//#Vary:OMP_NUM_THREADS=24|72
//#Flags:-pthread
//#Timeout:120
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <sched.h>

enum { ROUNDS = 10 };

static void region(void)
{
    int inside = 0, size = 0;
#pragma omp parallel shared(inside, size)
    {
        if (omp_get_thread_num() == 0) {
            size = omp_get_num_threads();
            for (int i = 0; i < size; i++) {
#pragma omp task shared(inside, size)
                {
                    int now;
#pragma omp atomic
                    inside++;
                    do {
                        sched_yield();
#pragma omp atomic read
                        now = inside;
                    } while (now < size);
                }
            }
        }
    }
    CHECK_EQ(inside, size);
}

static pthread_barrier_t are_roots, may_begin;
static int second_root;

// The first root ends before the second one begins its region, and its workers serve that one then.
static void *root(void *is_second)
{
    // Both threads are roots at once, so each has a team of its own.
    CHECK_EQ(omp_get_num_threads(), 1);
    pthread_barrier_wait(&are_roots);
    if (is_second)
        pthread_barrier_wait(&may_begin);
    region();
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&are_roots, NULL, 2);
    pthread_barrier_init(&may_begin, NULL, 2);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t first, second;
        CHECK_EQ(pthread_create(&first, NULL, root, NULL), 0);
        CHECK_EQ(pthread_create(&second, NULL, root, &second_root), 0);
        pthread_join(first, NULL);
        pthread_barrier_wait(&may_begin);
        pthread_join(second, NULL);
    }
    return check_result();
}
