// The deprecated omp_set_nested and omp_get_nested speak about max-active-levels.
//#Flags:-Wno-deprecated-declarations
//#Env:OMP_NUM_THREADS=2
#include "check.h"
#include <omp.h>

static int inner_size(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp master
    {
#pragma omp parallel
#pragma omp master
        size = omp_get_num_threads();
    }
    return size;
}

int main(void)
{
    omp_set_nested(1);
    CHECK(omp_get_nested());
    CHECK_EQ(inner_size(), 2);
    omp_set_nested(0);
    CHECK(!omp_get_nested());
    CHECK_EQ(inner_size(), 1);
    omp_set_max_active_levels(2);
    CHECK(omp_get_nested());
    CHECK_EQ(inner_size(), 2);
    return check_result();
}
