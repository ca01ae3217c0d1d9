// KMP_AFFINITY wins over the others; thread after thread gets the next of its places.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:KMP_AFFINITY=explicit,proclist=[<p1>,<p0>]|granularity=fine,compact,1,1|verbose,scatter,0,1
//#Threads:1,2,5
//#ReferenceFails:libgomp does not read it, and libomp is verbose
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_num_places(), 2);
    CHECK_EQ(only_processor(), processor_at(1));
#pragma omp parallel
    CHECK_EQ(only_processor(), processor_at(1 - omp_get_thread_num() % 2));
    return check_result();
}
