// Processors that the process may not use are left out, with one warning.
//#Flags:-D_GNU_SOURCE
//#Env:OMP_PLACES={1,4000},{4001:3},{0}
//#Env:OMP_NUM_THREADS=2
//#Stderr:^OMP: Warning: OMP_PLACES: [^\n]*4000-4003[^\n]*\n$
//#ReferenceFails:other words
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_num_places(), 2);
#pragma omp parallel
    CHECK_EQ(only_processor(), 1 - check_bound());
    return check_result();
}
