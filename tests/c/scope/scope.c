// Every thread runs a scope; its reduction is complete after its barrier.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    int size = omp_get_max_threads(), sum = 0, members = 0;
#pragma omp parallel
    {
        for (int round = 0; round < 100; round++) {
#pragma omp single
            sum = 0, members = 0;
#pragma omp scope reduction(+ : sum)
            {
                sum += omp_get_thread_num();
            }
            CHECK_EQ(sum, size * (size - 1) / 2);
#pragma omp scope nowait
            {
#pragma omp atomic
                members++;
            }
#pragma omp barrier
            CHECK_EQ(members, size);
#pragma omp barrier
        }
    }
    return check_result();
}
