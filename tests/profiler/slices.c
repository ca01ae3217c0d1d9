// Three things one after the other, for so many milliseconds each as the first argument says: even
// regions, uneven ones, and one region. Prints the seconds since its begin at which each has ended.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double start;

static double now(void)
{
    return omp_get_wtime() - start;
}

static void work(double until)
{
    while (now() < until)
        continue;
}

static __attribute__((noinline)) void even(double until)
{
    while (now() < until) {
#pragma omp parallel num_threads(2)
        work(now() + 0.005);
    }
}

static __attribute__((noinline)) void uneven(double until)
{
    while (now() < until) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0)
            work(now() + 0.005);
    }
}

static __attribute__((noinline)) void alone(double until)
{
#pragma omp parallel num_threads(2)
    work(until);
}

int main(int count, char **arguments)
{
    double length = count > 1 ? atoi(arguments[1]) * 1e-3 : 1;
    start = omp_get_wtime();
    even(now() + length);
    printf("%f\n", now());
    uneven(now() + length);
    printf("%f\n", now());
    alone(now() + length);
    printf("%f\n", now());
    fflush(stdout);
    if (count > 2)
        abort();
}
