/* Worksharing loops of about 3 us with their barriers, in one region. */
#include "overhead.h"

enum { LOOPS = 150000, SIZE = 16, STEPS = 120 };

static double field[SIZE];

int main(void)
{
    int64_t begin = now_ns();
#pragma omp parallel
    for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp for
        for (int i = 0; i < SIZE; i++)
            field[i] = work(STEPS, field[i]);
    }
    return told(begin, LOOPS, field[0]);
}
