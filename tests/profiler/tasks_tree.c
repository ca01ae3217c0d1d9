/* Tasks that wait for their children: the longest chain is known. Prints it, the work and the
 * number of tasks, by its own clock, ns. */
#include "clock.h"

static int64_t took[8];

static void work(int task, int64_t length)
{
    int64_t begin = now_ns();
    took[task] = spin_until(begin + length) - begin;
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            work(0, 1000000);
#pragma omp task
            work(1, 8000000);
#pragma omp task
            work(2, 2000000);
#pragma omp taskwait
            work(3, 3000000);
        }
        for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
            work(4 + i, 2000000);
        }
    }
    int64_t all = 0;
    for (int i = 0; i < 8; i++)
        all += took[i];
    print_fact("tasks", 7);
    print_fact("work", all);
    print_fact("span", took[0] + took[1] + took[3]);
    return 0;
}
