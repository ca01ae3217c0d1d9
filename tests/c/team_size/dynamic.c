// dyn-var allows fewer threads, never more; the routine changes it for the task that calls it.
//#Vary:OMP_DYNAMIC=true|false
//#Env:OMP_NUM_THREADS=4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    printf("%d\n", omp_get_dynamic());
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK(size >= 1 && size <= 4);
    omp_set_dynamic(0);
    CHECK_EQ(omp_get_dynamic(), 0);
#pragma omp parallel num_threads(4)
    {
        CHECK_EQ(omp_get_dynamic(), 0);
#pragma omp single
        size = omp_get_num_threads();
        omp_set_dynamic(1);
    }
    CHECK_EQ(size, 4);
    CHECK_EQ(omp_get_dynamic(), 0);
    omp_set_dynamic(17);
    CHECK_EQ(omp_get_dynamic(), 1);
#pragma omp parallel num_threads(64)
#pragma omp single
    size = omp_get_num_threads();
    CHECK(size >= 1 && size <= 64);
    return check_result();
}
