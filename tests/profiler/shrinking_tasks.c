/* Tasks of one construct, the first ones of some microseconds, all others empty. The primary thread
   creates them, and waits while it has others to create: the other thread executes them. */
#include "burn.h"

enum { LONG = 12000, EMPTY = 40000 };

int main(void)
{
    long steps = burn_steps(10) / 5000;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int task = 0; task < LONG + EMPTY; task++) {
        long now = task < LONG ? steps : 0;
#pragma omp task firstprivate(now)
        if (now)
            burn(now);
    }
    print_fact("tasks", LONG + EMPTY);
    return 0;
}
