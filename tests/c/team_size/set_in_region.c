// omp_set_num_threads inside a region counts for the regions of the calling task only.
//#Env:OMP_NUM_THREADS=3
//#Env:OMP_MAX_ACTIVE_LEVELS=4
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num(), size = 0;
            CHECK_EQ(omp_get_max_threads(), 3);
            omp_set_num_threads(me + 1);
            CHECK_EQ(omp_get_max_threads(), me + 1);
#pragma omp parallel shared(size)
            {
                CHECK_EQ(omp_get_max_threads(), me + 1);
#pragma omp single
                size = omp_get_num_threads();
                CHECK_EQ(omp_get_ancestor_thread_num(1), me);
            }
            CHECK_EQ(size, me + 1);
        }
        CHECK_EQ(omp_get_max_threads(), 3);
    }
    return check_result();
}
