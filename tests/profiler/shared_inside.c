/* Two threads count side by side in one cache line, inside of what one thread after the other
 * executes: in tasks, one of which the creating thread executes where it waits in a single region;
 * or, if NESTED, in a region that one begins in a single region; or, if LOCKED, in a region that a
 * thread begins with a lock held. */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "clock.h"

enum { ROUNDS = 200, STEPS = 1000000 };

static volatile long counts[2] __attribute__((aligned(64)));
static atomic_int arrived __attribute__((aligned(64)));

/* A barrier of both threads, so that neither counts for long without the other one. */
static void meet(void)
{
    int before = atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < (before | 1) + 1)
        sched_yield();
}

static void count(void)
{
    int own = omp_get_thread_num();
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 0; step < STEPS; step++)
            counts[own]++; // line 29
        meet();
    }
}

#if defined NESTED

static void count_twice(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(2)
    count();
}

#elif defined LOCKED

static void count_twice(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
    count();
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

#else

static void count_twice(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        count();
#pragma omp task
        count();
#pragma omp taskwait
    }
}

#endif

int main(void)
{
    count_twice();
    print_fact("counted", counts[0] + counts[1]);
    return 0;
}
