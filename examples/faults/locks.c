/* How often each digit occurs in random numbers. The counts belong to all threads, and a critical
   section keeps two threads from changing them at the same time. Nearly all of the work is in it,
   so the threads take turns. */
#include <stdio.h>

#define NUMBERS 40000
#define DIGITS 3000

static long counts[10];

static void count_digits(void)
{
#pragma omp parallel for
    for (unsigned number = 1; number <= NUMBERS; number++) {
        unsigned state = number;
#pragma omp critical(counts)
        for (int i = 0; i < DIGITS; i++) {
            state = state * 1664525 + 1013904223;
            counts[(state >> 16) % 10]++;
        }
    }
}

int main(void)
{
    count_digits();
    printf("zeros %ld, nines %ld\n", counts[0], counts[9]);
    return 0;
}
