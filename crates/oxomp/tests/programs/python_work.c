/* A library with regions, as the extensions of Python have them. */
#include <omp.h>

double work(long steps)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (long step = 0; step < steps; step++)
        sum += 1.0 / (double)(step + 1);
    return sum;
}

/* The sum of the numbers below the limit, by two threads. */
long sum_below(long limit)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (long number = 0; number < limit; number++)
        sum += number;
    return sum;
}

double call_back(double (*function)(double), double value)
{
    return function(value) + 1;
}
