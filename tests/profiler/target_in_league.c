/* Target constructs in the tasks of a league, and a region after it. */
#include "clock.h"

static int64_t sum;

static void spin(void)
{
    int64_t begin = now_ns();
    spin_until(begin + 200000);
}

int main(void)
{
#pragma omp teams num_teams(2) thread_limit(4)
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 10; i++) {
#pragma omp task
        {
#pragma omp target
            spin();
#pragma omp atomic
            sum++;
        }
    }
#pragma omp parallel num_threads(4)
    spin();
    print_fact("sum", sum);
    return 0;
}
