/* A chain of tasks, each of which depends on the one before: one thread of two works at any time.
 * Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

enum { TASKS = 20, LENGTH = 2000000 };

int main(void)
{
    int64_t work = 0;
    int token = 0;
    omp_get_max_threads();
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int task = 0; task < TASKS; task++) {
#pragma omp task depend(inout : token) shared(work, token)
        {
            int64_t begin = now_ns();
            work += spin_until(begin + LENGTH) - begin;
            token++;
        }
    }
    print_fact("work", work);
    return token == TASKS ? 0 : 1;
}
