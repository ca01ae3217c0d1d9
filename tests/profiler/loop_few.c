/* Three iterations for two threads. */
#include "clock.h"

int main(void)
{
    volatile int rounds = 4;
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(dynamic) num_threads(2)
        for (int i = 0; i < 3; i++)
            work_ns(15000000);
    }
    return 0;
}
