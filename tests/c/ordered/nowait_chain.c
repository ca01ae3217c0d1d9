// Ordered loops in one region, one after the other without barriers, and in inner teams.
//#Threads:2,4
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { LOOPS = 60, N = 20 };

int main(void)
{
    static int next[LOOPS];
#pragma omp parallel
    for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp for ordered schedule(dynamic, 2) nowait
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            {
                CHECK_EQ(next[loop], i);
                next[loop]++;
            }
        }
    }
    for (int loop = 0; loop < LOOPS; loop++)
        CHECK_EQ(next[loop], N);

#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp parallel for ordered num_threads(2) schedule(static, 1) shared(mine)
        for (int i = 0; i < 50; i++) {
#pragma omp ordered
            {
                CHECK_EQ(mine, i);
                mine++;
            }
        }
        CHECK_EQ(mine, 50);
    }
    return check_result();
}
