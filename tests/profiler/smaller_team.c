/* After a region of four threads come regions of one and two: the others idle. */
#include "clock.h"

int main(void)
{
#pragma omp parallel num_threads(4)
    work_ns(100000);
    for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(2)
        work_ns(10000000);
    }
    return 0;
}
