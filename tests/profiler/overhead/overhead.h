/* What the programs of `cargo xtask overhead` share: work that takes as long whatever else happens,
 * and the time that the program itself took. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* A number in cache lines of its own, so that threads do not wait for each other's. */
struct cell {
    _Alignas(128) double value;
};

/* Each step waits for the one before: 2 to 3 ns. */
static inline double work(int steps, double value)
{
    for (int step = 0; step < steps; step++)
        value = value * 0.999999 + 0.5;
    return value;
}

static inline int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Says how long the program took since `begin`, for so many regions, chunks, tasks or locks. */
static inline int told(int64_t begin, long units, double result)
{
    printf("overhead ns=%lld units=%ld\n", (long long)(now_ns() - begin), units);
    return result != result;
}

#endif
