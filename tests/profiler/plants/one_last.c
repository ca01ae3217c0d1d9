/* The last iteration of a loop takes a third of its time, and no chunk is shorter than it. */
//#Says:the last quarter of the iterations takes
//#Says:if one iteration of it takes most, split that
//#Repair:the last iteration's work is divided among more iterations
#include "burn.h"

enum { SIZE = 400, STEPS = 4, EACH = 40000, LAST = 200 };

static double cells[SIZE + LAST];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) schedule(dynamic, 8)
        for (int cell = 0; cell < SIZE + LAST - 1; cell++)
            cells[cell] = burn(cells[cell], EACH);
#else
#pragma omp parallel for num_threads(2) schedule(dynamic, 8) // PLANT
        for (int cell = 0; cell < SIZE; cell++)
            cells[cell] = burn(cells[cell], cell == SIZE - 1 ? (long)EACH * LAST : EACH);
#endif
    }
    return cells[0] > 0 ? 0 : 1;
}
