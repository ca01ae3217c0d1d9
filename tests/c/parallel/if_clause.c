// if(0) gives a team of one in a region that is real but not active.
//#Opt:-O0,-O2
//#Threads:1,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

static void region(int condition)
{
    int size = 0, level = 0, active = 0, in_parallel = -1;
#pragma omp parallel if (condition)
    {
#pragma omp single
        {
            size = omp_get_num_threads();
            level = omp_get_level();
            active = omp_get_active_level();
            in_parallel = omp_in_parallel();
        }
    }
    printf("%d: %d %d %d %d\n", condition, size, level, active, in_parallel);
    CHECK_EQ(level, 1);
    CHECK_EQ(active, size > 1);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        region(0);
        region(1);
        region(i);
    }
    // A constant condition is compiled into another call.
    int size = 0;
#pragma omp parallel if (0)
    size = omp_get_num_threads();
    CHECK_EQ(size, 1);
    CHECK_EQ(omp_get_level(), 0);
    return check_result();
}
