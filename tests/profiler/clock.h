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

/* Works for so long, awake all the time; returns when it ended. */
static inline int64_t spin_until(int64_t end)
{
    int64_t now;
    do
        now = now_ns();
    while (now < end);
    return now;
}

static inline void print_fact(const char *name, int64_t value)
{
    printf("%s %lld\n", name, (long long)value);
}

#endif
