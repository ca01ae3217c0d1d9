/* A loop that is handed out one iteration at a time, iterations of about 200 ns. */
#include "overhead.h"

enum { LOOPS = 40, ITERATIONS = 100000, STEPS = 110 };

int main(void)
{
    double sum = 0;
    int64_t begin = now_ns();
    for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
        for (int i = 0; i < ITERATIONS; i++)
            sum += work(STEPS, i);
    }
    return told(begin, (long)LOOPS * ITERATIONS, sum);
}
