/* Tasks that are far shorter than what it takes to schedule one. */
#include <stdio.h>

enum { ROUNDS = 200, TASKS = 1000 };

static unsigned char values[TASKS];

int main(void)
{
    volatile int rounds = ROUNDS;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
            values[i]++;
        }
#pragma omp taskwait
    }
    printf("%d\n", values[TASKS - 1]);
    return 0;
}
