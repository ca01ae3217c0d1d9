/* Two threads, one critical name, two places: one thread holds it for 2 ms while the other one
 * waits; three times. Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

enum { ROUNDS = 3, HOLD = 2000000, LATER = 300000, SHORT = 500000 };

static int64_t wait, blame, hold, short_hold;
/* When this round's hold ended. */
static int64_t held_until;
static volatile int ready, inside, asking;

/* In functions of their own, so that each critical has its own place. */
__attribute__((noinline)) static void hold_it(void)
{
    while (!ready)
        ;
#pragma omp critical(known)
    {
        int64_t acquired = now_ns();
        inside = 1;
        while (!asking)
            ;
        held_until = spin_until(now_ns() + HOLD);
        hold += held_until - acquired;
    }
}

__attribute__((noinline)) static void wait_for_it(void)
{
    ready = 1;
    while (!inside)
        ;
    int64_t asked = spin_until(now_ns() + LATER);
    asking = 1;
#pragma omp critical(known)
    {
        int64_t acquired = now_ns();
        wait += acquired - asked;
        if (held_until > asked)
            blame += held_until - asked;
        short_hold += spin_until(acquired + SHORT) - acquired;
    }
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        ready = inside = asking = 0;
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0)
                hold_it();
            else
                wait_for_it();
        }
    }
    print_fact("calls", ROUNDS);
    print_fact("critical_wait", wait);
    print_fact("critical_blame", blame);
    print_fact("critical_hold", hold);
    print_fact("short_hold", short_hold);
    return 0;
}
