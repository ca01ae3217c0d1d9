/* As copies.c, but the data stay on the device, and the host reads a part of them now and then:
 * nothing is copied again. */
#include <omp.h>

#include "../clock.h"

enum { ROUNDS = 20, NUMBERS = 1 << 20 };

double grid[NUMBERS];

int main(void)
{
    /* The runtime starts now, and with it the tool. */
    omp_get_max_threads();
    for (int number = 0; number < NUMBERS; number++)
        grid[number] = number;
#pragma omp target data map(tofrom : grid)
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp target
        for (int number = 0; number < 1000; number++)
            grid[number] += 1;
#pragma omp target update from(grid[0 : 1 << 17])
    }
    print_fact("rounds", ROUNDS);
    return grid[7] == 7 + ROUNDS ? 0 : 1;
}
