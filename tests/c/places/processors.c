// Binding the initial thread does not make the machine smaller, nor teams.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Vary:OMP_PROC_BIND=true|close|primary
//#NoStderr
#include "bound.h"

int main(void)
{
    int size = 0;
    CHECK(omp_get_num_procs() >= 2);
    CHECK_EQ(omp_get_max_threads(), omp_get_num_procs());
    CHECK_EQ(omp_get_place_num(), 0);
    CHECK_EQ(my_processors(), 1);
#pragma omp parallel
    {
#pragma omp single
        size = omp_get_num_threads();
        CHECK(omp_get_num_procs() >= 2);
    }
    CHECK_EQ(size, omp_get_num_procs());
    return check_result();
}
