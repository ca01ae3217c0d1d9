// The order of an explicit list is the order of the places.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p1>},{<p0>},{<p0>,<p1>}
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_PROC_BIND=close|spread
//#NoStderr
#include "bound.h"

int main(void)
{
    int processors[2] = {-1, -1};
    CHECK_EQ(omp_get_num_places(), 3);
    CHECK_EQ(omp_get_place_num_procs(0), 1);
    CHECK_EQ(omp_get_place_num_procs(2), 2);
    omp_get_place_proc_ids(0, processors);
    CHECK_EQ(processors[0], processor_at(1));
    omp_get_place_proc_ids(2, processors);
    CHECK_EQ(processors[0] + processors[1], processor_at(0) + processor_at(1));
    CHECK_EQ(only_processor(), processor_at(1));
#pragma omp parallel
    {
        const int wanted[] = {processor_at(1), processor_at(0), -1};
        CHECK_EQ(check_bound(), omp_get_thread_num());
        CHECK_EQ(only_processor(), wanted[omp_get_thread_num()]);
    }
    CHECK_EQ(only_processor(), processor_at(1));
    return check_result();
}
