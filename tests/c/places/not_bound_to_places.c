// With OMP_PROC_BIND=false there may be places, but no thread is at one.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=false
//#Env:OMP_NUM_THREADS=2
//#NoStderr
//#ReferenceFails:libgomp forgets the places, libomp makes one of all processors and says that all are there
#include "bound.h"

int main(void)
{
    int before = my_processors();
    CHECK_EQ(omp_get_num_places(), 2);
    CHECK_EQ(omp_get_place_num(), -1);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_place_num(), -1);
        CHECK_EQ(omp_get_partition_num_places(), 2);
        CHECK_EQ(my_processors(), before);
    }
    return check_result();
}
