/* A triangle that distribute divides into one part of the rows for each team. */
//#Says[clang]:distribute gives each of 2 teams one part
//#NoLine[gcc, libomp]: libomp tells an address of its own for leagues of gcc's code.
//#Repair:dist_schedule(static,1)
// gcc's code divides the rows among the teams itself, so that no runtime sees a distribute. On
// oxomp the advice names the line all the same; on libomp, which tells no address of the program
// either, nothing is left that an advice could name, and nothing is demanded.
#include "burn.h"

enum { SIZE = 600, STEPS = 4 };

static double rows[SIZE];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp teams distribute num_teams(2) thread_limit(1) dist_schedule(static, 1)
#else
#pragma omp teams distribute num_teams(2) thread_limit(1) // PLANT
#endif
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column <= row; column++)
                rows[row] += burn(column, 150);
    }
    return rows[SIZE - 1] > 0 ? 0 : 1;
}
