// A taskloop whose grainsize makes a task of each iteration.
//#Says:grainsize(
//#Repair:grainsize(1000)
#include <vector>

#include "burn.h"

#ifdef REPAIRED
#define GRAINSIZE 1000
#else
#define GRAINSIZE 1
#endif

int main()
{
    std::vector<double> cells(500000, 1.0);
#pragma omp parallel num_threads(2) // PLANT
#pragma omp single
#pragma omp taskloop grainsize(GRAINSIZE) // PLANT
    for (std::size_t i = 0; i < cells.size(); i++)
        cells[i] = burn(cells[i], 10);
    return cells[0] > 0 ? 0 : 1;
}
