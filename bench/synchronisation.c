/* Barriers, critical regions and locks. */

#include "bench.h"

#include <stdlib.h>

static void barrier(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
        work();
#pragma omp barrier
    }
}

/* Where all threads want one mutex, the team owns it `count` times in all. */
static void critical(long count)
{
    long entered = 0;
#pragma omp parallel
    for (long i = 0; i < count / threads; i++) {
#pragma omp critical
        {
            work();
            entered++;
        }
    }
    expect(entered == count, "the number of critical regions");
}

/* A thread that keeps the mutex gains nothing here, so that a slow hand-over shows. */
#define OUTSIDE 8

static void critical_with_work(long count)
{
#pragma omp parallel
    for (long i = 0; i < count / threads; i++) {
#pragma omp critical(with_work)
        work();
        for (int part = 0; part < OUTSIDE; part++)
            work();
    }
}

static void work_inside_and_outside(long count)
{
    work_shared_out(count * (OUTSIDE + 1));
}

static void lock(long count)
{
    long entered = 0;
    omp_lock_t mutex;
    omp_init_lock(&mutex);
#pragma omp parallel
    for (long i = 0; i < count / threads; i++) {
        omp_set_lock(&mutex);
        work();
        entered++;
        omp_unset_lock(&mutex);
    }
    omp_destroy_lock(&mutex);
    expect(entered == count, "the number of times that the lock was set");
}

static void nest_lock(long count)
{
    omp_nest_lock_t mutex;
    omp_init_nest_lock(&mutex);
#pragma omp parallel
    for (long i = 0; i < count / threads; i++) {
        omp_set_nest_lock(&mutex);
        omp_set_nest_lock(&mutex);
        work();
        omp_unset_nest_lock(&mutex);
        omp_unset_nest_lock(&mutex);
    }
    omp_destroy_nest_lock(&mutex);
}

/* Locks of different threads share no cache line, nor the one that is fetched along. */
static void lock_uncontended(long count)
{
#pragma omp parallel
    {
        omp_lock_t *mutex = aligned_alloc(128, 128);
        expect(mutex != NULL, "no memory");
        omp_init_lock(mutex);
        for (long i = 0; i < count; i++) {
            omp_set_lock(mutex);
            work();
            omp_unset_lock(mutex);
        }
        omp_destroy_lock(mutex);
        free(mutex);
    }
}

const struct benchmark benchmarks[] = {
    {"barrier", "ns/barrier", "a barrier of the team", barrier, work_of_each},
    {"critical", "ns/region", "a critical region that all threads want", critical, work_in_turn},
    {"critical_with_work", "ns/region", "a critical region with 8 times its work outside",
     critical_with_work, work_inside_and_outside},
    {"lock", "ns/pair", "set and unset a lock that all threads want", lock, work_in_turn},
    {"nest_lock", "ns/2-pairs", "set and unset a nestable lock twice; all threads want it",
     nest_lock, work_in_turn},
    {"lock_uncontended", "ns/pair", "set and unset a lock that no other thread wants",
     lock_uncontended, work_of_each},
    {0},
};
