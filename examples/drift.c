// A program whose work becomes uneven: docs/src/over-time.md looks for the moment.
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void step(double share)
{
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int i = 0; i < 2; i++)
        for (double end = now() + (i == 0 ? 0.010 : 0.010 * share); now() < end;)
            ;
}

int main(void)
{
    double begin = now();
    while (now() < begin + 2)
        step(1);
    while (now() < begin + 4)
        step(0.1);
    return 0;
}
