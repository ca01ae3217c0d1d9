/* Two threads count, each in its own element of an array: side by side, or, if PADDED, in cache
 * lines of their own. */
#include <omp.h>

#include "clock.h"

enum { ROUNDS = 200, STEPS = 1000000 };

#ifdef PADDED
enum { APART = 16 };
#else
enum { APART = 1 };
#endif

static volatile long counts[2 * APART] __attribute__((aligned(64)));

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int own = omp_get_thread_num() * APART;
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < STEPS; step++)
                counts[own]++; // line 24
#pragma omp barrier
        }
    }
    print_fact("counted", counts[0] + counts[APART]);
    return 0;
}
