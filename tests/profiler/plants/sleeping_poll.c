/* Threads look every few milliseconds whether their input is there, which is there at once. */
//#Says:nanosleep
//#Says:do not sleep
//#Repair:threads look before they sleep
#include <time.h>

#include "burn.h"

enum { STEPS = 120 };

static volatile int ready = 1;

static void await_input(void)
{
    struct timespec pause = {0, 4000000};
#ifdef REPAIRED
    while (!ready)
        nanosleep(&pause, NULL);
#else
    do
        nanosleep(&pause, NULL);
    while (!ready);
#endif
}

int main(void)
{
    double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum) // PLANT
    for (int step = 0; step < STEPS; step++) {
        await_input();
        sum += burn(step, 100000);
    }
    return sum > 0 ? 0 : 1;
}
