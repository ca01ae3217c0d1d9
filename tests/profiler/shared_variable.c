/* Two threads add to one plain variable, and lose some of what they add. */
#include "clock.h"

enum { ROUNDS = 200, STEPS = 1000000 };

static volatile long total;

int main(void)
{
#pragma omp parallel num_threads(2)
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 0; step < STEPS; step++)
            total += step & 1; // line 13
#pragma omp barrier
    }
    print_fact("added", total > 0);
    return 0;
}
