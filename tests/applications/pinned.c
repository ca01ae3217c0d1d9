// Each thread of a region, with the processors on which it may run.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp for ordered schedule(static, 1)
    for (int thread = 0; thread < 4; thread++) {
#pragma omp ordered
        {
            cpu_set_t set;
            sched_getaffinity(0, sizeof set, &set);
            printf("thread %d:", omp_get_thread_num());
            for (int processor = 0; processor < CPU_SETSIZE; processor++)
                if (CPU_ISSET(processor, &set))
                    printf(" %d", processor);
            printf("\n");
        }
    }
    return 0;
}
