/* 300 ms of serial work, a region of 50 ms, and 200 ms of serial work after the last OpenMP call.
 * Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

int main(void)
{
    int64_t begin = now_ns();
    int64_t before = spin_until(begin + 300000000) - begin;
#pragma omp parallel num_threads(2)
    spin_until(now_ns() + 50000000);
    begin = now_ns();
    int64_t after = spin_until(begin + 200000000) - begin;
    print_fact("serial_before", before);
    print_fact("serial_after", after);
    return 0;
}
