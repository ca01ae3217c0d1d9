// Processors that the process was not given are no places, whoever asks for them; one warning.
//#Flags:-D_GNU_SOURCE
//#Vary:OMP_PLACES={0},{1}|{0,1},{1}|{0}:2
//#Env:OMP_NUM_THREADS=3
//#Stderr:^OMP: Warning: OMP_PLACES: [^\n]*processors 0[^\n]*places are made without\n$
//#ReferenceFails:other words
//#NotRecorded:the runtime must not have begun
#include "bound.h"

int main(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(1, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK(omp_get_num_places() >= 1);
    for (int place = 0; place < omp_get_num_places(); place++) {
        int processor = -1;
        CHECK_EQ(omp_get_place_num_procs(place), 1);
        omp_get_place_proc_ids(place, &processor);
        CHECK_EQ(processor, 1);
    }
#pragma omp parallel
    {
        check_bound();
        CHECK_EQ(only_processor(), 1);
    }
    return check_result();
}
