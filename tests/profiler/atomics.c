/* Two threads add to one counter all the time: the atomic update is where the time goes. */
#include "clock.h"

enum { STEPS = 40000000 };

static long counter;

int main(void)
{
#pragma omp parallel for num_threads(2)
    for (int step = 0; step < STEPS; step++) {
#pragma omp atomic
        counter++;
    }
    print_fact("counter", counter);
    return 0;
}
