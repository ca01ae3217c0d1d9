/* A loop whose iterations are short and end in a critical: threads wait for it most of the time.
 * The program counts the acquisitions. */
#include "clock.h"

enum { TIMES = 60000, BINS = 64 };

static long bins[BINS];

int main(void)
{
#pragma omp parallel for num_threads(2)
    for (int time = 0; time < TIMES; time++) {
        unsigned long state = 88172645463325252ul + (unsigned long)time * 7919;
        for (int step = 0; step < 12; step++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
#pragma omp critical
        bins[state % BINS]++;
    }
    long all = 0;
    for (int bin = 0; bin < BINS; bin++)
        all += bins[bin];
    print_fact("calls", all);
    return 0;
}
