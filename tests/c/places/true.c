// OMP_PROC_BIND=true is what omp_get_proc_bind returns, at each level; the threads are spread.
//#Flags:-D_GNU_SOURCE
//#Vary:OMP_PROC_BIND=true|TRUE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#NoStderr
//#ReferenceFails:libomp reports its own choice, libgomp does not spread
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_true);
#pragma omp parallel
    {
        CHECK_EQ(check_bound(), omp_get_thread_num());
        CHECK_EQ(omp_get_partition_num_places(), 1);
        CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_true);
#pragma omp parallel
        {
            CHECK_EQ(check_bound(), omp_get_ancestor_thread_num(1));
            CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_true);
        }
    }
#pragma omp parallel proc_bind(close)
    {
        CHECK_EQ(check_bound(), omp_get_thread_num());
        CHECK_EQ(omp_get_partition_num_places(), 2);
        CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_true);
    }
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_true);
    return check_result();
}
