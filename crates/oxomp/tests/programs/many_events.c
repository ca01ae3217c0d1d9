// Regions of four threads with loops, critical sections, barriers and tasks, for as many seconds as
// the argument says.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **words)
{
    double seconds = count > 1 ? atof(words[1]) : 1;
    long sum = 0;
    long regions = 0;
    puts("ready");
    fflush(stdout);
    for (double begin = now(); now() - begin < seconds; regions++) {
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(dynamic, 10) reduction(+ : sum)
            for (int i = 0; i < 200; i++)
                sum += i;
#pragma omp critical
            sum++;
#pragma omp barrier
#pragma omp single
            for (int i = 0; i < 4; i++) {
#pragma omp task
                {
#pragma omp atomic
                    sum++;
                }
            }
        }
    }
    printf("wrong %d\n", sum != regions * (200L * 199 / 2 + 4 + 4));
    return 0;
}
