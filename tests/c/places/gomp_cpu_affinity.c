// GOMP_CPU_AFFINITY: thread after thread gets the next processor, round and round.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:GOMP_CPU_AFFINITY=<p1> <p0>|<p1>,<p0>|<p1>-<p1> <p0>-<p0>:1
//#Threads:1,2,5
//#NoStderr
//#ReferenceFails:libgomp 12 gives several threads in a row one processor if there are too many
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_num_places(), 2);
    CHECK_EQ(only_processor(), processor_at(1));
#pragma omp parallel
    CHECK_EQ(only_processor(), processor_at(1 - omp_get_thread_num() % 2));
    return check_result();
}
