/* A table that one thread fills between two loops. */
//#Says:run in parallel what lies between serial_part.c:18 and serial_part.c:28
//#Repair:the loop between is parallel, too
#include <stdio.h>

#include "burn.h"

enum { SIZE = 20000, STEPS = 5 };

/* Rounds that differ keep compilers from computing two elements at a time. */
static double a[SIZE], table[SIZE];

int main(void)
{
    double sum = 0;
    for (int step = 0; step < STEPS; step++) {

#pragma omp parallel for num_threads(2)
        for (int i = 0; i < SIZE; i++)
            a[i] = burn(i, 500 + i % 2);

#ifdef REPAIRED
#pragma omp parallel for num_threads(2)
#endif
        for (int i = 0; i < SIZE; i++)
            table[i] = burn(a[i], 800 + i % 2);

#pragma omp parallel for num_threads(2)
        for (int i = 0; i < SIZE; i++)
            a[i] = burn(table[i], 300 + i % 2);
        sum += a[step];
    }
    return sum > 0 ? 0 : 1;
}
