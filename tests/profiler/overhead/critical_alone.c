/* A critical section around almost nothing, in a region of one thread. */
#include "overhead.h"

enum { TIMES = 5000000 };

int main(void)
{
    double sum = 0;
    int64_t begin = now_ns();
#pragma omp parallel num_threads(1)
    for (int i = 0; i < TIMES; i++) {
#pragma omp critical
        sum += i;
    }
    return told(begin, TIMES, sum);
}
