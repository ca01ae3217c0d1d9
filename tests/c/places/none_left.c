// A list of which nothing can be used: one warning, and threads are not bound.
//#Flags:-D_GNU_SOURCE
//#Env:OMP_PLACES={4000},{4001}
//#Vary:OMP_PROC_BIND=close|spread,close
//#Env:OMP_NUM_THREADS=2
//#Stderr:^OMP: Warning: OMP_PLACES: [^\n]*4000-4001[^\n]*\n$
//#ReferenceFails:other words
#include "bound.h"

int main(void)
{
    int before = my_processors();
    CHECK_EQ(omp_get_num_places(), 0);
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
#pragma omp parallel proc_bind(spread)
    {
        CHECK_EQ(my_processors(), before);
        CHECK_EQ(omp_get_place_num(), -1);
    }
    return check_result();
}
