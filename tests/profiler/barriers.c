/* Explicit barriers that one of two threads reaches 500 us early; four of them in one region.
 * Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

enum { ROUNDS = 4 };

static int64_t arrived[ROUNDS][2];

/* In a function of its own, so that it is one place however loops are unrolled. */
__attribute__((noinline)) static void meet(void)
{
#pragma omp barrier
    /* Not a tail call: the call has to return here. */
    __asm__ volatile("");
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();
        for (int round = 0; round < ROUNDS; round++) {
            int early = round % 2 == thread;
            arrived[round][thread] = spin_until(now_ns() + (early ? 100000 : 600000));
            meet();
        }
    }
    int64_t imbalance = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t between = arrived[round][0] - arrived[round][1];
        imbalance += between < 0 ? -between : between;
    }
    print_fact("passes", 2 * ROUNDS);
    print_fact("barrier_imbalance", imbalance);
    return 0;
}
