/* The lower triangle of a matrix: the last rows are the long ones, and the schedule is static. */
//#Says[clang]:the last quarter of the iterations takes
//#Says[gcc]:schedule(dynamic
//#Says[clang]:schedule(dynamic|schedule(static,
//#Advises[clang]:schedule(
//#Repair:schedule(dynamic,4)
#include "burn.h"

enum { SIZE = 600, STEPS = 4 };

static double rows[SIZE];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) schedule(dynamic, 4)
#else
#pragma omp parallel for num_threads(2) // PLANT
#endif
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column <= row; column++)
                rows[row] += burn(column, 150);
    }
    return rows[SIZE - 1] > 0 ? 0 : 1;
}
