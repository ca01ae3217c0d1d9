/* Fibonacci numbers by tasks, down to the smallest number: most tasks are shorter than it takes to
   create them. */
#include <stdio.h>

#define CUT_OFF 2

static long serial(int n)
{
    return n < 2 ? n : serial(n - 1) + serial(n - 2);
}

static long fibonacci(int n)
{
    if (n < CUT_OFF)
        return serial(n);
    long a, b;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    long result;
#pragma omp parallel
#pragma omp single
    result = fibonacci(28);
    printf("%ld\n", result);
    return 0;
}
