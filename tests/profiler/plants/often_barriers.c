/* A barrier after every step, though each thread reads only what it has written itself. */
//#Says:fewer barriers
//#Repair:no barrier between the steps
#include <omp.h>

#include "burn.h"

enum { STEPS = 100000 };

static double values[2][16];

int main(void)
{
#pragma omp parallel num_threads(2) // PLANT
    {
        double *own = values[omp_get_thread_num()];
        for (int step = 0; step < STEPS; step++) {
            own[0] = burn(own[0], 200);
#ifndef REPAIRED
#pragma omp barrier
#endif
        }
    }
    return values[0][0] > 0 ? 0 : 1;
}
