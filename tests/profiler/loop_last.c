/* A loop of static schedule whose iterations cost the more the later they come: thread 1 of 2 has
 * three quarters of the work. */
#include "clock.h"

enum { ITERATIONS = 400 };

int main(void)
{
    volatile int rounds = 3;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(static) num_threads(2)
        for (int i = 0; i < ITERATIONS; i++)
            work_ns(i * 300);
    }
    return 0;
}
