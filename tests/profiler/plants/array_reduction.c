/* A reduction of an array that is larger than the work of the loop that fills it. */
//#Says[gcc]:parts of the reduction one after the other
//#Repair:one region around the loops
#include "burn.h"

enum { BINS = 20000, STEPS = 2000, ITEMS = 64 };

static long bins[BINS];

int main(void)
{
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) reduction(+ : bins[:BINS])
    for (int item = 0; item < ITEMS * STEPS; item++)
        bins[item % BINS] += (long)burn(item, 20);
#else
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2) reduction(+ : bins[:BINS]) // PLANT
        for (int item = 0; item < ITEMS; item++)
            bins[(item + step * ITEMS) % BINS] += (long)burn(item, 20);
    }
#endif
    return bins[1] >= 0 ? 0 : 1;
}
