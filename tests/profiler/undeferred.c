/* All tasks are undeferred: the thread that creates them executes them, the other one waits. */
#include "clock.h"

enum { TASKS = 30 };

int main(int count, char **arguments)
{
    (void)arguments;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int task = 0; task < TASKS; task++) {
#pragma omp task if (count > 1)
        work_ns(1000000);
    }
    print_fact("tasks", TASKS);
    return 0;
}
