/* A thread waits at the end of a region, and is absent from the many regions that follow. */
#include "clock.h"

static int64_t sum;

int main(void)
{
    for (int round = 0; round < 20; round++) {
        int64_t begin = now_ns();
#pragma omp parallel num_threads(3)
#pragma omp master
        spin_until(begin + 1000000);
        for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
            sum++;
        }
        for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(1)
#pragma omp atomic
            sum++;
        }
    }
    print_fact("sum", sum);
    return 0;
}
