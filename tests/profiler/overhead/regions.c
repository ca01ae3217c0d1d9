/* Regions of about 3 us. */
#include "overhead.h"

enum { REGIONS = 400000, SIZE = 16, STEPS = 240 };

static double field[SIZE];

int main(void)
{
    int64_t begin = now_ns();
    for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel for
        for (int i = 0; i < SIZE; i++)
            field[i] = work(STEPS, field[i]);
    }
    return told(begin, REGIONS, field[0]);
}
