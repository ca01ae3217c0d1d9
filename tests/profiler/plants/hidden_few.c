/* Three layers in a loop of static schedule, which gcc divides without a call of the runtime. */
//#Says[gcc]:hidden
//#Says[gcc]:OMP_SCHEDULE=static
//#Says[clang]:3 iterations for 2 threads
//#Says:collapse
//#Repair:collapse(2)
#include "burn.h"

enum { LAYERS = 3, CELLS = 400, STEPS = 4 };

static double grid[LAYERS][CELLS];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) collapse(2)
#else
#pragma omp parallel for num_threads(2) // PLANT
#endif
        for (int layer = 0; layer < LAYERS; layer++)
            for (int cell = 0; cell < CELLS; cell++)
                // Rounds that differ keep compilers from computing two cells at a time.
                grid[layer][cell] = burn(grid[layer][cell], 12500 + cell % 2);
    }
    return grid[0][0] > 0 ? 0 : 1;
}
