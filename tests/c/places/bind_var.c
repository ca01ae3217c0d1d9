// bind-var is what the environment says for each level; a clause does not change it.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=spread,close,master
//#Env:OMP_NUM_THREADS=2,2,2
//#NoStderr
//#ReferenceFails:with libgomp a clause changes bind-var in its region
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
    for (int round = 0; round < 2; round++) {
#pragma omp parallel proc_bind(master)
        {
            CHECK_EQ(check_bound(), 0);
            CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
#pragma omp parallel proc_bind(spread)
            {
                CHECK_EQ(check_bound(), omp_get_thread_num());
                CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_master);
#pragma omp parallel
                CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_master);
            }
        }
        CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
    }
    return check_result();
}
