/* Every step writes its results as text while no thread computes. */
//#Says:reads and writes between
//#Repair:the steps' sums are written, and not each result
#include <stdio.h>

#include "burn.h"

enum { SIZE = 40000, STEPS = 7 };

static double cells[SIZE];

int main(void)
{
    FILE *file = fopen("/dev/null", "w");
    for (int step = 0; step < STEPS; step++) {
        double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
        for (int cell = 0; cell < SIZE; cell++) {
            cells[cell] = burn(cells[cell], 500 + cell % 2);
            sum += cells[cell];
        }
        if (step == STEPS - 1)
            break;
#ifdef REPAIRED
        fprintf(file, "%.17g\n", sum);
#else
        for (int cell = 0; cell < SIZE; cell++)
            fprintf(file, "%d %.17g\n", cell, cells[cell]);
#endif
    }
    fclose(file);
    return cells[0] > 0 ? 0 : 1;
}
