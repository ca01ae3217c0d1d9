// What tools see of this is known: 10 regions of 4 threads, in each 5 tasks, and 4 entries of a
// critical region, a barrier, a loop and a single construct.
#include <omp.h>
#include <stdio.h>

enum { REGIONS = 10, TASKS = 5 };

int main(void)
{
    long sum = 0;
    int entries = 0, tasks = 0;
    for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 20; i++)
                sum += i;
#pragma omp critical
            entries++;
#pragma omp single
            for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(tasks)
                {
#pragma omp atomic
                    tasks++;
                }
            }
#pragma omp barrier
        }
    }
    printf("sum %ld, %d entries, %d tasks\n", sum, entries, tasks);
    return 0;
}
