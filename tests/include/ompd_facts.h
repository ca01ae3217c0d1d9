// What a thread knows of itself, for a test that reads the same from outside: one line
// `fact key=value …` for each, on standard output. The program goes on when its standard input ends.
#ifndef OXOMP_OMPD_FACTS_H
#define OXOMP_OMPD_FACTS_H

#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static int go_on;

// One thread waits for the end of input.
static inline void wait_for_reader(void)
{
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    __atomic_store_n(&go_on, 1, __ATOMIC_RELEASE);
}

// The others wait for that thread.
static inline void wait_for_end(void)
{
    while (!__atomic_load_n(&go_on, __ATOMIC_ACQUIRE))
        usleep(1000);
}

// The thread and its task; `role` says what it is about to do, `wait_id` what it will wait for, and
// `frame` the frame that it will call the runtime from.
static inline void fact(const char *role, const void *wait_id, const void *frame)
{
    char ancestors[64];
    int at = 0, chunk;
    omp_sched_t kind;
    for (int level = 0; level <= omp_get_level(); level++)
        at += snprintf(ancestors + at, sizeof ancestors - at, "%s%d/%d", level ? "," : "",
                       omp_get_ancestor_thread_num(level), omp_get_team_size(level));
    omp_get_schedule(&kind, &chunk);
    printf("fact role=%s lwp=%ld pthread=%llu active_level=%d ancestors=%s nthreads=%d dyn=%d "
           "sched=%d chunk=%d max_active_levels=%d thread_limit=%d bind=%d device=%d wait_id=%llu "
           "frame=%llu\n",
           role, syscall(SYS_gettid), (unsigned long long)pthread_self(), omp_get_active_level(),
           ancestors, omp_get_max_threads(), omp_get_dynamic(), (int)(kind & 0x7fffffff), chunk,
           omp_get_max_active_levels(), omp_get_thread_limit(), (int)omp_get_proc_bind(),
           omp_get_default_device(), (unsigned long long)(uintptr_t)wait_id,
           (unsigned long long)(uintptr_t)frame);
    fflush(stdout);
}

#define FRAME __builtin_frame_address(0)

#endif
