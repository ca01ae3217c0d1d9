// Processors that the process was not given are no places, whoever asks for them; one warning.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:OMP_PLACES={<p0>},{<p1>}|{<p0>,<p1>},{<p1>}|{<p0>}:1,{<p1>}:1
//#Env:OMP_NUM_THREADS=3
//#Stderr:^OMP: Warning: OMP_PLACES: [^\n]*processors <p0>[^\n]*places are made without\n$
//#ReferenceFails:other words
//#NotRecorded:the runtime must not have begun
#include "bound.h"

int main(void)
{
    run_only_on(processor_at(1));
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK(omp_get_num_places() >= 1);
    for (int place = 0; place < omp_get_num_places(); place++) {
        int processor = -1;
        CHECK_EQ(omp_get_place_num_procs(place), 1);
        omp_get_place_proc_ids(place, &processor);
        CHECK_EQ(processor, processor_at(1));
    }
#pragma omp parallel
    {
        check_bound();
        CHECK_EQ(only_processor(), processor_at(1));
    }
    return check_result();
}
