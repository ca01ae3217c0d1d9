// A place list that cannot be read still says that threads are to be bound, and perhaps to what.
//#Flags:-D_GNU_SOURCE
//#Vary:OMP_PLACES=invalid|{0:2|threads(|Cores()
//#Env:OMP_NUM_THREADS=2
//#Stderr:^OMP: Warning #42: OMP_PLACES="[^\n]*using (cores|threads)\n$
//#ReferenceFails:libgomp does not bind, libomp has other words
#include "bound.h"

int main(void)
{
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
#pragma omp parallel
    check_bound();
    return check_result();
}
