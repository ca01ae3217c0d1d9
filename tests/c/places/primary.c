// proc_bind(primary), for which clang has a number of its own, leaves all threads on the primary thread's
// place, whatever bind-var says.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=close
//#Env:OMP_NUM_THREADS=2
//#ReferenceFails[clang]:it takes clang's number for no policy
#include "bound.h"

int main(void)
{
    int places = 0, threads = 0;
#pragma omp parallel proc_bind(primary) reduction(+ : places, threads)
    {
        places += check_bound();
        threads++;
    }
    CHECK_EQ(threads, 2);
    CHECK_EQ(places, 0);
#pragma omp parallel reduction(+ : places)
    places += check_bound();
    CHECK_EQ(places, 1);
    return check_result();
}
