/* fib(argv[1]) by tasks for all calls whose argument is argv[2] or more. */
#include <stdlib.h>

#include "overhead.h"

static int cut_off;

static long serial(int n)
{
    return n < 2 ? n : serial(n - 1) + serial(n - 2);
}

static long fib(int n)
{
    long a, b;
    if (n < cut_off)
        return serial(n);
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(int argc, char **argv)
{
    long result = 0;
    int last = argc > 1 ? atoi(argv[1]) : 32;
    cut_off = argc > 2 ? atoi(argv[2]) : 2;
    int64_t begin = now_ns();
#pragma omp parallel
#pragma omp single
    result = fib(last);
    /* A call that is not below the cut-off makes two tasks. */
    long tasks = 0, before = 0;
    for (int n = cut_off; n <= last; n++) {
        long next = 2 + tasks + before;
        before = tasks;
        tasks = next;
    }
    return told(begin, tasks, (double)result);
}
