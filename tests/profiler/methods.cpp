// A region in a method that the compiler copies into its callers, and one in a lambda.
#include <omp.h>

#include "clock.h"

struct Grid {
    double total = 0;

    __attribute__((always_inline)) void step(int rounds)
    {
#pragma omp parallel num_threads(2)
        {
            spin_until(now_ns() + 100000 * rounds);
#pragma omp atomic
            total += rounds;
        }
        total += 1;
    }
};

int main()
{
    Grid grid;
    for (int round = 0; round < 3; round++) {
        grid.step(1);
        grid.step(2);
    }
    grid.step(3);
    auto last = [&grid] {
#pragma omp parallel num_threads(2)
        spin_until(now_ns() + 200000);
        grid.total += 1;
    };
    last();
    return grid.total > 0 ? 0 : 1;
}
