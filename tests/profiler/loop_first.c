/* A loop of static schedule whose first iterations are the costly ones. */
#include "clock.h"

enum { ITERATIONS = 400 };

int main(void)
{
    volatile int rounds = 3;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(static) num_threads(2)
        for (int i = 0; i < ITERATIONS; i++)
            work_ns((ITERATIONS - i) * 300);
    }
    return 0;
}
