/* All threads add to one variable. With two threads, the processors take its cache line from each
   other at each addition, and the same work takes several times as long as with one thread. */
#include <stdio.h>

#define NUMBERS 40000000

static long sum;

int main(void)
{
#pragma omp parallel for
    for (long i = 0; i < NUMBERS; i++) {
#pragma omp atomic
        sum += i * i % 7;
    }
    printf("%ld\n", sum);
    return 0;
}
