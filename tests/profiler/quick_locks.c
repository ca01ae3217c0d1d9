/* Locks that are taken too often to be timed each time. Each of two threads has one of its own; one
 * critical is for both. Between quick ones, thread 1 asks for a lock that thread 0 holds for long:
 * all its waits are those. Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

enum { TIMES = 60000, LONG = 150, HOLD = 100000, BETWEEN = 100 };

static omp_lock_t own[2], slow;
static volatile int inside, asked;
static int64_t own_hold[2], own_time[2], shared_wait[2], shared_hold[2], slow_wait;
static double sums[2][16];

static double work(int steps, double value)
{
    for (int step = 0; step < steps; step++)
        value = value * 0.999999 + 0.5;
    return value;
}

__attribute__((noinline)) static void take_own(int me)
{
    omp_set_lock(&own[me]);
    int64_t begin = now_ns();
    sums[me][0] = work(20, sums[me][0]);
    own_hold[me] += now_ns() - begin;
    omp_unset_lock(&own[me]);
}

__attribute__((noinline)) static void take_shared(int me)
{
    static double shared;
    int64_t asks = now_ns();
#pragma omp critical
    {
        int64_t begin = now_ns();
        shared_wait[me] += begin - asks;
        shared = work(40, shared);
        shared_hold[me] += now_ns() - begin;
    }
}

__attribute__((noinline)) static void hold_slow(int turn)
{
    while (asked < turn)
        ;
    omp_set_lock(&slow);
    inside = turn + 1;
    spin_until(now_ns() + HOLD);
    omp_unset_lock(&slow);
}

__attribute__((noinline)) static void wait_for_slow(int turn)
{
    while (inside <= turn)
        ;
    int64_t asks = now_ns();
    omp_set_lock(&slow);
    slow_wait += now_ns() - asks;
    omp_unset_lock(&slow);
    asked = turn + 1;
}

int main(void)
{
    int64_t clock = reading_ns();
    omp_init_lock(&own[0]);
    omp_init_lock(&own[1]);
    omp_init_lock(&slow);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (int turn = 0; turn < LONG; turn++) {
            for (int time = 0; time < BETWEEN; time++)
                take_own(me);
            if (me == 0)
                hold_slow(turn);
            else
                wait_for_slow(turn);
        }
        int64_t begin = now_ns();
        for (int time = 0; time < TIMES; time++)
            take_own(me);
        own_time[me] = now_ns() - begin;
        for (int time = 0; time < TIMES; time++)
            take_shared(me);
    }
    print_fact("own", 2 * (TIMES + LONG * BETWEEN));
    print_fact("own_hold", own_hold[0] + own_hold[1]);
    print_fact("own_each", (own_time[0] + own_time[1]) / (2 * TIMES));
    print_fact("clock", clock);
    print_fact("slow", LONG);
    print_fact("slow_wait", slow_wait);
    print_fact("shared", 2 * TIMES);
    print_fact("shared_wait", shared_wait[0] + shared_wait[1]);
    print_fact("shared_hold", shared_hold[0] + shared_hold[1]);
    return 0;
}
