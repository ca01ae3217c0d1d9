/* Regions of 10 ms. */
#include "overhead.h"

enum { REGIONS = 40, ITERATIONS = 1000, STEPS = 7000 };

int main(void)
{
    double sum = 0;
    int64_t begin = now_ns();
    for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < ITERATIONS; i++)
            sum += work(STEPS, i);
    }
    return told(begin, REGIONS, sum);
}
