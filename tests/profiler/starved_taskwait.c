/* One task of 30 ms and ten of 100 us, and a taskwait behind them: one thread of two works for most
 * of the time. Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

enum { LONG = 30000000, SHORT = 100000, SHORT_TASKS = 10 };

int main(void)
{
    int64_t longest = 0;
    omp_get_max_threads();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(longest)
        {
            int64_t begin = now_ns();
            longest = spin_until(begin + LONG) - begin;
        }
        for (int task = 0; task < SHORT_TASKS; task++) {
#pragma omp task
            spin_until(now_ns() + SHORT);
        }
#pragma omp taskwait
    }
    print_fact("longest", longest);
    return 0;
}
