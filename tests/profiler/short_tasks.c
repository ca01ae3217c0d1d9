/* Tasks of some microseconds, which one thread creates: the program times each. */
#include <omp.h>

#include "burn.h"

enum { ROUNDS = 300, TASKS = 200 };

/* What each thread's tasks took, in cache lines of their own. */
static int64_t work[2][16];

static void timed(long steps)
{
    int64_t begin = now_ns();
    burn(steps);
    work[omp_get_thread_num()][0] += now_ns() - begin;
}

int main(void)
{
    long steps = burn_steps(10) / 5000;
    int64_t clock = reading_ns();
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        for (int task = 0; task < TASKS; task++) {
#pragma omp task
            timed(steps);
        }
#pragma omp taskwait
    }
    print_fact("tasks", (int64_t)ROUNDS * TASKS);
    print_fact("work", work[0][0] + work[1][0]);
    print_fact("clock", clock);
    return 0;
}
