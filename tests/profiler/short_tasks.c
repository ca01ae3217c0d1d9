/* Tasks of some microseconds, which one thread creates: the program knows what each takes. */
#include "burn.h"

enum { ROUNDS = 300, TASKS = 200, FEW = 2000 };

int main(void)
{
    long steps = burn_steps(10) / 5000;
    int64_t begin = cpu_ns();
    for (int time = 0; time < FEW; time++)
        burn(steps);
    int64_t each = (cpu_ns() - begin) / FEW;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        for (int task = 0; task < TASKS; task++) {
#pragma omp task
            burn(steps);
        }
#pragma omp taskwait
    }
    print_fact("tasks", (int64_t)ROUNDS * TASKS);
    print_fact("work", each * ROUNDS * TASKS);
    return 0;
}
