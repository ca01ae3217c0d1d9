/* Pixels handed out one by one: schedule(dynamic,1) costs more than their work. */
//#Says:schedule(dynamic,1) hands out
//#Advises:schedule(
//#Repair:schedule(static)
#include <stdlib.h>

enum { SIZE = 1000000, STEPS = 6 };

static float pixels[SIZE];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) schedule(static)
#else
#pragma omp parallel for num_threads(2) schedule(dynamic, 1) // PLANT
#endif
        for (int i = 0; i < SIZE; i++) // PLANT
            pixels[i] = pixels[i] * 0.5f + (float)(i % 7);
    }
    return pixels[SIZE - 1] >= 0 ? 0 : 1;
}
