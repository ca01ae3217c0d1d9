/* The clock of the known-answer programs: what they print with it is the truth. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* CLOCK_MONOTONIC, ns. */
static inline int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* What reading the clock takes, ns. */
static inline int64_t reading_ns(void)
{
    int64_t begin = now_ns(), end = begin;
    for (int time = 0; time < 10000; time++)
        end = now_ns();
    return (end - begin) / 10000;
}

/* Works for so long, awake all the time; returns when it ended. */
static inline int64_t spin_until(int64_t end)
{
    int64_t now;
    do
        now = now_ns();
    while (now < end);
    return now;
}

/* The calling thread's processor time, ns. */
static inline int64_t cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Works for so much processor time, however long other processes make that; returns what it took
 * of it. */
static inline int64_t work_ns(int64_t length)
{
    int64_t begin = cpu_ns(), now;
    do
        now = cpu_ns();
    while (now - begin < length);
    return now - begin;
}

static inline void print_fact(const char *name, int64_t value)
{
    printf("%s %lld\n", name, (long long)value);
}

#endif
