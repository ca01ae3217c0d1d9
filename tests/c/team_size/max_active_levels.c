// Regions beyond max-active-levels-var have one thread, and the routine clips what it is given.
//#Env:OMP_NUM_THREADS=2
//#SameStdoutAs:reference
#include "check.h"
#include <omp.h>

static void sizes(int levels)
{
    int size[4] = {0};
    omp_set_max_active_levels(levels);
    CHECK_EQ(omp_get_max_active_levels(), levels);
#pragma omp parallel
    {
#pragma omp atomic write
        size[1] = omp_get_num_threads();
#pragma omp parallel
        {
#pragma omp atomic write
            size[2] = omp_get_num_threads();
#pragma omp parallel
            {
#pragma omp atomic write
                size[3] = omp_get_num_threads();
                CHECK_EQ(omp_get_active_level(), levels < 3 ? levels : 3);
                CHECK_EQ(omp_get_level(), 3);
            }
        }
    }
    printf("%d: %d %d %d\n", levels, size[1], size[2], size[3]);
    for (int level = 1; level < 4; level++)
        CHECK_EQ(size[level], level <= levels ? 2 : 1);
}

int main(void)
{
    for (int levels = 0; levels < 5; levels++)
        sizes(levels);
    CHECK(omp_get_supported_active_levels() >= 4);
    return check_result();
}
