/* A critical section for which all threads ask, half of the time. */
#include "overhead.h"

enum { TIMES = 1000000, STEPS = 120 };

int main(void)
{
    double sum = 0, shared = 0;
    int64_t begin = now_ns();
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < TIMES; i++) {
        sum += work(STEPS, i);
#pragma omp critical
        shared = work(STEPS, shared);
    }
    return told(begin, TIMES, sum + shared);
}
