/* Each thread counts in bins of its own, and the bins of two threads share a cache line. */
//#Says:cache line
//#Says:a cache line of its own
//#Repair:alignas(64)
#include <omp.h>
#include <stdalign.h>

#include "burn.h"

enum { LENGTH = 1 << 16, ROUNDS = 3000 };

struct part {
#ifdef REPAIRED
    alignas(64)
#endif
    long bins[4];
};

static alignas(64) struct part parts[2];
static long values[LENGTH];

static void count(struct part *part)
{
    for (long at = 0; at < LENGTH; at++)
        part->bins[values[at] & 3]++;
}

int main(void)
{
    for (long at = 0; at < LENGTH; at++)
        values[at] = at * 7 % 31;
#pragma omp parallel num_threads(2) // PLANT
    for (int round = 0; round < ROUNDS; round++)
        count(&parts[omp_get_thread_num()]);
    return parts[0].bins[1] > 0 && parts[1].bins[2] > 0 && burn(1, 1) > 0 ? 0 : 1;
}
