/* Three parallel loops in a loop over time: each has its own line, which the program prints. */
#include <omp.h>

#include "clock.h"

enum { STEPS = 5, SIZE = 64 };

static double a[SIZE], b[SIZE], c[SIZE];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < SIZE; i++)
            a[i] += spin_until(now_ns() + 10000) > 0;
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < SIZE; i++)
            b[i] += spin_until(now_ns() + 20000) > 0;
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < SIZE; i++)
            c[i] += spin_until(now_ns() + 30000) > 0;
    }
    print_fact("first", 13);
    print_fact("second", 16);
    print_fact("third", 19);
    return a[0] + b[0] + c[0] == 3 * STEPS ? 0 : 1;
}
