/* A library with OpenMP inside. PART is the name of its table. */
#define _GNU_SOURCE
#include "part.h"
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

static int team(int size, int *natives)
{
    int members = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
    {
        natives[omp_get_thread_num()] = (int)syscall(SYS_gettid);
        members++;
#pragma omp barrier
    }
    return members;
}

static void count(void *lock, long *counter, int size, int times)
{
#pragma omp parallel num_threads(size)
    {
        for (int i = 0; i < times; i++) {
            omp_set_lock((omp_lock_t *)lock);
            ++*counter;
            omp_unset_lock((omp_lock_t *)lock);
        }
    }
}

static void each(int size, void (*inside)(void *), void *argument)
{
#pragma omp parallel num_threads(size)
    inside(argument);
}

static void init_lock(void *lock)
{
    omp_init_lock((omp_lock_t *)lock);
}

static void set_lock(void *lock)
{
    omp_set_lock((omp_lock_t *)lock);
}

static void unset_lock(void *lock)
{
    omp_unset_lock((omp_lock_t *)lock);
}

static void *runtime(void)
{
    return (void *)omp_get_thread_num;
}

const struct part PART = {
    .team = team,
    .count = count,
    .init_lock = init_lock,
    .set_lock = set_lock,
    .unset_lock = unset_lock,
    .each = each,
    .thread_num = omp_get_thread_num,
    .num_threads = omp_get_num_threads,
    .level = omp_get_level,
    .set_num_threads = omp_set_num_threads,
    .max_threads = omp_get_max_threads,
    .runtime = runtime,
};
