// Places are made of the processors that the process may use when the runtime starts.
//#Flags:-D_GNU_SOURCE
//#Vary:OMP_PLACES=threads|cores|sockets|ll_caches|numa_domains
//#Env:OMP_NUM_THREADS=3
//#NoStderr
//#ReferenceFails:libgomp looks when it is loaded
#include "bound.h"

int main(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(1, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    int processor = -1;
    CHECK_EQ(omp_get_num_places(), 1);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_place_num_procs(0), 1);
    omp_get_place_proc_ids(0, &processor);
    CHECK_EQ(processor, 1);
#pragma omp parallel
    {
        CHECK_EQ(check_bound(), 0);
        CHECK_EQ(only_processor(), 1);
    }
    return check_result();
}
