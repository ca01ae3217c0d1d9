// An inner region is bound within the partition of the task that encounters it.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_NUM_THREADS=2,3
//#Vary:OMP_PROC_BIND=spread,close|spread,spread|close,primary|spread,primary
//#NoStderr
#include "bound.h"
#include <string.h>

int main(void)
{
    int spreads = strncmp(getenv("OMP_PROC_BIND"), "spread", 6) == 0, inner = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
            int place = check_bound();
            CHECK_EQ(place, omp_get_thread_num());
            CHECK_EQ(omp_get_partition_num_places(), spreads ? 1 : 2);
#pragma omp parallel
            {
                CHECK_EQ(check_bound(), place);
                CHECK_EQ(only_processor(), processor_at(place));
#pragma omp atomic
                inner++;
            }
            CHECK_EQ(check_bound(), place);
        }
        CHECK_EQ(check_bound(), 0);
    }
    CHECK_EQ(inner, 30);
    return check_result();
}
