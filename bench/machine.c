/* What the machine itself costs: no construct is measured, and the runtime makes no difference. */

#define _GNU_SOURCE
#include "bench.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void machine_pause(long count)
{
    for (long i = 0; i < count; i++)
        __builtin_ia32_pause();
}

static void machine_clock(long count)
{
    for (long i = 0; i < count; i++)
        now_ns();
}

static void machine_yield(long count)
{
    for (long i = 0; i < count; i++)
        sched_yield();
}

static void machine_nap(long count)
{
    struct timespec least = {0, 1};
    for (long i = 0; i < count; i++)
        nanosleep(&least, NULL);
}

static int word __attribute__((aligned(128)));

/* Two threads store to one line in turn: each count is one transfer. */
static void machine_line(long count)
{
    word = 0;
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (long i = me; i < count; i += 2) {
            while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != (int)i)
                __builtin_ia32_pause();
            __atomic_store_n(&word, (int)i + 1, __ATOMIC_RELEASE);
        }
    }
}

static void futex(int operation, int value)
{
    syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* Two threads wake each other in turn: each count is one wake-up. */
static void machine_wake(long count)
{
    word = 0;
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (long i = me; i < count; i += 2) {
            int seen;
            while ((seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE)) != (int)i)
                futex(FUTEX_WAIT, seen);
            __atomic_store_n(&word, (int)i + 1, __ATOMIC_RELEASE);
            futex(FUTEX_WAKE, 1);
        }
    }
}

static void machine_wake_nobody(long count)
{
    for (long i = 0; i < count; i++)
        futex(FUTEX_WAKE, 1);
}

const struct benchmark benchmarks[] = {
    {"machine_pause", "ns/pause", "a pause hint of the processor", machine_pause, no_work},
    {"machine_clock", "ns/read", "a look at the monotonic clock", machine_clock, no_work},
    {"machine_yield", "ns/yield", "sched_yield(2) that finds nobody", machine_yield, no_work},
    {"machine_nap", "ns/nap", "nanosleep(2) of a nanosecond", machine_nap, no_work},
    {"machine_line", "ns/transfer", "a cache line from one processor to another", machine_line,
     no_work, 2, 2},
    {"machine_wake", "ns/wake-up", "futex(2): from the wake-up until the sleeper goes on",
     machine_wake, no_work, 2, 2},
    {"machine_wake_nobody", "ns/call", "futex(2): a wake-up for which nobody waits",
     machine_wake_nobody, no_work},
    {0},
};
