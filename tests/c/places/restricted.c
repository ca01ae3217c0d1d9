// Places are made of the processors that the process may use when the runtime starts.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:OMP_PLACES=threads|cores|sockets|ll_caches|numa_domains
//#Env:OMP_NUM_THREADS=3
//#NoStderr
//#ReferenceFails:libgomp looks when it is loaded
#include "bound.h"

int main(void)
{
    run_only_on(processor_at(1));
    int processor = -1;
    CHECK_EQ(omp_get_num_places(), 1);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_place_num_procs(0), 1);
    omp_get_place_proc_ids(0, &processor);
    CHECK_EQ(processor, processor_at(1));
#pragma omp parallel
    {
        CHECK_EQ(check_bound(), 0);
        CHECK_EQ(only_processor(), processor_at(1));
    }
    return check_result();
}
