/* A loop of dynamic schedule whose costly chunk is handed out last: nothing is left to balance. */
#include "clock.h"

enum { ITERATIONS = 100 };

int main(void)
{
    volatile int rounds = 3;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(dynamic, 10) num_threads(2)
        for (int i = 0; i < ITERATIONS; i++)
            work_ns(i < 90 ? 20000 : 800000);
    }
    return 0;
}
