/* Two sections, one of which takes five times as long. */
#include "clock.h"

int main(void)
{
    volatile int rounds = 4;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel sections num_threads(2)
        {
#pragma omp section
            work_ns(25000000);
#pragma omp section
            work_ns(5000000);
        }
    }
    return 0;
}
