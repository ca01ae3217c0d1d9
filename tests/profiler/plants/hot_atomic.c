/* Every step of a loop adds to one sum by an atomic update. */
//#Says:atomic update
//#Says:a reduction
//#Repair:a reduction
#include "burn.h"

enum { STEPS = 12000000 };

static long sum;

int main(void)
{
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int step = 0; step < STEPS; step++)
        sum += step & 3;
#else
#pragma omp parallel for num_threads(2) // PLANT
    for (int step = 0; step < STEPS; step++) {
#pragma omp atomic
        sum += step & 3;
    }
#endif
    return sum > 0 && burn(1, 1) > 0 ? 0 : 1;
}
