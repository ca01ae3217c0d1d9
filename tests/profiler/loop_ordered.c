/* A loop almost all of which is ordered. */
#include "clock.h"

enum { ITERATIONS = 200 };

int main(void)
{
    volatile int rounds = 3;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(2)
        for (int i = 0; i < ITERATIONS; i++) {
            work_ns(5000);
#pragma omp ordered
            work_ns(50000);
        }
    }
    return 0;
}
