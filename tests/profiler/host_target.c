/* Target regions that the host executes, since there is no device for them. */
#include <omp.h>

#include "clock.h"

int main(void)
{
    int64_t rounds = 0;
    for (int round = 0; round < 10; round++) {
#pragma omp target map(tofrom : rounds) device(omp_get_initial_device())
        {
            work_ns(2000000);
            rounds++;
        }
    }
    print_fact("rounds", rounds);
    return 0;
}
