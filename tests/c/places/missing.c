// Processors that the process may not use are left out, with one warning.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p1>,4000},{4001:3},{<p0>}
//#Env:OMP_NUM_THREADS=2
//#Stderr:^OMP: Warning: OMP_PLACES: [^\n]*4000-4003[^\n]*\n$
//#ReferenceFails:other words
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_num_places(), 2);
#pragma omp parallel
    CHECK_EQ(only_processor(), processor_at(1 - check_bound()));
    return check_result();
}
