/* Tasks that all depend on one variable, though the two grids have nothing to do with each other. */
//#Says:run one after the other
//#Says:chain of dependences
//#Repair:a variable for each grid
#include "burn.h"

enum { STEPS = 40 };

static double grids[2];

int main(void)
{
    char token[2] = { 0, 0 };
    (void)token;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int step = 0; step < STEPS; step++)
        for (int grid = 0; grid < 2; grid++) {
#ifdef REPAIRED
#pragma omp task depend(inout : token[grid]) firstprivate(grid)
#else
#pragma omp task depend(inout : token[0]) firstprivate(grid) // PLANT
#endif
            grids[grid] = burn(grids[grid], 2000000); // PLANT
        }
    return grids[0] > 0 ? 0 : 1;
}
