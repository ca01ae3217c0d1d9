/* Two sections, one of which has five times the work of the other. */
//#Says:split it
//#Repair:a loop over the six parts
#include "burn.h"

enum { STEPS = 4, PART = 5000000 };

int main(void)
{
    double sum = 0;
    for (int step = 0; step < STEPS; step++) {
        double left = 0, right = 0;
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) reduction(+ : left, right)
        for (int part = 0; part < 6; part++)
            if (part < 5)
                left += burn(part, PART);
            else
                right += burn(part, PART);
#else
#pragma omp parallel sections num_threads(2) // PLANT
        {
#pragma omp section
            for (int part = 0; part < 5; part++)
                left += burn(part, PART);
#pragma omp section
            right = burn(5, PART);
        }
#endif
        sum += left + right;
    }
    return sum > 0 ? 0 : 1;
}
