/* What the benchmark programs share.
 *
 * A program is one family of constructs: a file with a function for each benchmark and a table of
 * them, and bench.c, which has `main`. README.md says how a figure comes about, and how to add a
 * benchmark. */

#ifndef BENCH_H
#define BENCH_H

#include <omp.h>
#include <stdint.h>

struct benchmark {
    const char *name;
    /* What a figure says: "ns/region" is nanoseconds for one of `count`; "KB" is how far `run` has
     * raised the largest resident set of the process, and `step` is the only count. */
    const char *unit;
    const char *about;
    /* Executes the construct so often. */
    void (*run)(long count);
    /* Does the same work as `run` and executes no construct: its time is taken off. */
    void (*reference)(long count);
    /* Counts are multiples of this; 0 stands for the number of threads. */
    long step;
    /* The benchmark means nothing with fewer threads. */
    int least_threads;
};

/* The table of the program; its end is an entry without a name. */
extern const struct benchmark benchmarks[];

/* Threads of a team, and processors that the program may use. */
extern int threads, processors;

/* Nanoseconds of the monotonic clock. */
uint64_t now_ns(void);

/* Ends the program if a construct has not done what it is for: its time would mean nothing. */
void expect(int truth, const char *what);

/* References. Constructs without work: */
void no_work(long count);
/* Constructs whose work excludes each other, or is done by one thread: */
void work_in_turn(long count);
/* Constructs in which each thread of the team works: */
void work_of_each(long count);
/* Constructs that the threads of the team share out: */
void work_shared_out(long count);

/* Steps of computation, each of which needs the result of the one before. */
static inline void work_for(int steps)
{
    uint64_t value = 1;
    for (int step = 0; step < steps; step++) {
        value = value * 3 + 1;
        __asm__ volatile("" : "+r"(value));
    }
}

/* The work in a construct: some 30 ns. */
static inline void work(void)
{
    work_for(100);
}

/* Makes the compiler believe that the memory at `data` is read and written. */
static inline void touch(void *data)
{
    __asm__ volatile("" : : "r"(data) : "memory");
}

#endif
