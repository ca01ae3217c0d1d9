/* How much memory a program gets that makes many tasks: the growth of its largest resident set. */

#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define TASKS 200000
#define READERS 10000
/* The writer takes it that the maker of tasks is held back if no task was made for so long. */
#define STANDSTILL_NS 100000000

/* Tasks that have run; each thread counts in a cache line of its own. */
#define COUNTERS 64
static struct {
    long value;
    char padding[120];
} ran[COUNTERS];

static void run_one(void)
{
    __atomic_fetch_add(&ran[omp_get_thread_num() % COUNTERS].value, 1, __ATOMIC_RELAXED);
}

static void expect_ran(long tasks)
{
    long sum = 0;
    for (int i = 0; i < COUNTERS; i++)
        sum += ran[i].value;
    expect(sum == tasks, "the number of tasks that have run");
}

/* Their addresses are what tasks depend on; nobody reads or writes them. */
static char items[TASKS];

static void memory_plain(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task
        run_one();
    }
    expect_ran(count);
}

static void memory_chain(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task depend(inout : items[0])
        run_one();
    }
    expect_ran(count);
}

static void memory_independent(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task depend(out : items[i])
        run_one();
    }
    expect_ran(count);
}

static long made;

/* The writer completes when all readers are made, or when the runtime, which may limit how many
 * tasks wait, holds their maker back. */
static void write_slowly(long readers)
{
    long last = -1;
    uint64_t since = now_ns();
    for (;;) {
        long now = __atomic_load_n(&made, __ATOMIC_RELAXED);
        if (now != last) {
            last = now;
            since = now_ns();
        }
        if (now == readers || now_ns() - since > STANDSTILL_NS)
            break;
        work();
    }
}

static void memory_readers(long count)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : items[0])
        write_slowly(count);
        for (long i = 0; i < count; i++) {
#pragma omp task depend(in : items[0])
            run_one();
            __atomic_store_n(&made, i + 1, __ATOMIC_RELAXED);
        }
    }
    expect_ran(count);
}

static void grow(long tasks)
{
    run_one();
    long left = (tasks - 1) / 2, right = tasks - 1 - left;
    if (left > 0) {
#pragma omp task
        grow(left);
    }
    if (right > 0) {
#pragma omp task
        grow(right);
    }
}

static void memory_tree(long count)
{
#pragma omp parallel
#pragma omp single
    grow(count);
    expect_ran(count);
}

const struct benchmark benchmarks[] = {
    {"memory_plain", "KB", "200,000 tasks of one thread", memory_plain, no_work, TASKS},
    {"memory_chain", "KB", "200,000 tasks, each of which depends on the one before", memory_chain,
     no_work, TASKS},
    {"memory_independent", "KB", "200,000 tasks that name an item each", memory_independent,
     no_work, TASKS},
    {"memory_readers", "KB", "10,000 readers of what one task writes that takes long",
     memory_readers, no_work, READERS, 2},
    {"memory_tree", "KB", "200,000 tasks that make each other and wait for none", memory_tree,
     no_work, TASKS},
    {0},
};
