/* The tasks of fib(argv[1]) in one region that lasts as long as the program: twice as many events
 * as tasks, in waits that began before the file had its share of them. */
#include <stdio.h>
#include <stdlib.h>

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20;
    long result = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    result = fib(n);
    printf("fib %ld\n", result);
    return 0;
}
