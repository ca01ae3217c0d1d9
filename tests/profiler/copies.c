/* One parallel loop with a critical in a function that the compiler copies into its callers. */
#include <omp.h>

#include "clock.h"

static double total;

static inline __attribute__((always_inline)) void step(int rounds)
{
#pragma omp parallel num_threads(2)
    {
        spin_until(now_ns() + 100000 * rounds);
#pragma omp critical
        total += rounds;
#pragma omp barrier
        spin_until(now_ns() + 10000);
    }
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
        step(1);
        step(2);
        step(3);
        step(4);
    }
    step(5);
    print_fact("calls", 13);
    return total == 2 * (3 * (1 + 2 + 3 + 4) + 5) ? 0 : 1;
}
