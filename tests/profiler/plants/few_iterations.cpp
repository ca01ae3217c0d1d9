// Three layers for two threads: the loop inside has the iterations.
//#Says:3 iterations for 2 threads
//#Says:collapse
//#Repair:collapse(2)
#include <array>

#include "burn.h"

constexpr int LAYERS = 3, CELLS = 400, STEPS = 4;

static std::array<std::array<double, CELLS>, LAYERS> grid;

int main()
{
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) collapse(2) schedule(dynamic, 10)
#else
#pragma omp parallel for num_threads(2) schedule(dynamic) // PLANT
#endif
        for (int layer = 0; layer < LAYERS; layer++)
            for (int cell = 0; cell < CELLS; cell++)
                // Rounds that differ keep compilers from computing two cells at a time.
                grid[layer][cell] = burn(grid[layer][cell], 12500 + cell % 2);
    }
    return grid[0][0] > 0 ? 0 : 1;
}
