/* 8 MB go to the device and back 20 times, for a kernel that changes a few of them. Prints the time
 * of the constructs by its own clock, ns. */
#include <omp.h>

#include "../clock.h"

enum { ROUNDS = 20, NUMBERS = 1 << 20 };

double grid[NUMBERS];

int main(void)
{
    int64_t constructs = 0;
    /* The runtime starts now, and with it the tool. */
    omp_get_max_threads();
    for (int number = 0; number < NUMBERS; number++)
        grid[number] = number;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begin = now_ns();
#pragma omp target map(tofrom : grid) // PLANT
        for (int number = 0; number < 1000; number++)
            grid[number] += 1;
        constructs += now_ns() - begin;
    }
    print_fact("constructs", constructs);
    return grid[7] == 7 + ROUNDS ? 0 : 1;
}
