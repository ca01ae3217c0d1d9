/* Worksharing loops of about 3 us with their barriers, in one region. */
#include "overhead.h"

enum { LOOPS = 400000, SIZE = 16, STEPS = 240 };

static struct cell field[SIZE];

int main(void)
{
    int64_t begin = now_ns();
#pragma omp parallel
    for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp for
        for (int i = 0; i < SIZE; i++)
            field[i].value = work(STEPS, field[i].value);
    }
    return told(begin, LOOPS, field[0].value);
}
