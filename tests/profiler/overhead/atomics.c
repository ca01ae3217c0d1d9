/* A counter to which all threads add by an atomic update, with a little work between. */
#include "overhead.h"

enum { TIMES = 8000000, STEPS = 8 };

int main(void)
{
    double sum = 0;
    long counter = 0;
    int64_t begin = now_ns();
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < TIMES; i++) {
        sum += work(STEPS, i);
#pragma omp atomic
        counter++;
    }
    return told(begin, TIMES, sum + (double)counter);
}
