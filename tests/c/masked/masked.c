// The primary thread alone runs master and masked; filter names another one.
//#Opt:-O0,-O2
//#Threads:1,4
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    int ran[3] = {0}, size = omp_get_max_threads();
    for (int round = 1; round <= 100; round++) {
#pragma omp parallel
        {
#pragma omp master
            {
                CHECK_EQ(omp_get_thread_num(), 0);
                ran[0]++;
            }
#pragma omp masked
            {
                CHECK_EQ(omp_get_thread_num(), 0);
                ran[1]++;
            }
#pragma omp masked filter(1)
            {
                CHECK_EQ(omp_get_thread_num(), 1);
                ran[2]++;
            }
        }
        CHECK_EQ(ran[0], round);
        CHECK_EQ(ran[1], round);
        CHECK_EQ(ran[2], size > 1 ? round : 0);
    }
#pragma omp master
    ran[0]++;
    CHECK_EQ(ran[0], 101);
    return check_result();
}
