/* Many regions of a few microseconds, then one region with barriers, and such regions again: so many
 * events that they are recorded in parts of the run only. Prints how many regions and barriers there
 * were. */
#include <omp.h>

#include "clock.h"

enum { FLOOD = 40000 };
static const int64_t PHASE = INT64_C(1500000000);
static long regions, barriers, sums[2][16];

static void short_regions(long times, int64_t until)
{
    while (regions < times || now_ns() < until) {
#pragma omp parallel num_threads(2)
        sums[omp_get_thread_num()][0]++;
        regions++;
    }
}

static void one_region(int64_t until)
{
    int goes_on = 1;
#pragma omp parallel num_threads(2)
    for (;;) {
        sums[omp_get_thread_num()][0]++;
        /* Everyone has read what the first thread writes before the next barrier. */
#pragma omp barrier
        if (!goes_on)
            break;
#pragma omp barrier
#pragma omp master
        {
            barriers += 2;
            goes_on = now_ns() < until;
        }
    }
}

int main(void)
{
    short_regions(FLOOD, 0);
    short_regions(0, now_ns() + PHASE);
    one_region(now_ns() + PHASE);
    short_regions(0, now_ns() + PHASE);
    print_fact("regions", regions);
    print_fact("barriers", barriers + 1);
    return 0;
}
