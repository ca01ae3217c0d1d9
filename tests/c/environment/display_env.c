// OMP_DISPLAY_ENV=verbose shows every variable that is read, as it holds.
//#Env:OMP_DISPLAY_ENV=verbose
//#Env:OMP_NUM_TEAMS=3
//#Env:OMP_TEAMS_THREAD_LIMIT=4
//#Env:OMP_ALLOCATOR=omp_large_cap_mem_space:alignment=16,pinned=true
//#Env:KMP_AFFINITY=reset,granularity=fine,scatter,0,1
//#Env:KMP_SCHEDULE=static,greedy
//#Env:KMP_DEVICE_THREAD_LIMIT=77
//#Env:KMP_LIBRARY=turnaround
//#Stderr:\[host\] KMP_AFFINITY='noverbose,warnings,respect,reset,granularity=fine,scatter,0,1'\n
//#Stderr:\[host\] KMP_BLOCKTIME='infinite'\n
//#Stderr:\[host\] KMP_DEVICE_THREAD_LIMIT='77'\n
//#Stderr:\[host\] KMP_LIBRARY='turnaround'\n
//#Stderr:\[host\] KMP_SCHEDULE='static,greedy;guided,iterative'\n
//#Stderr:\[host\] OMP_ALLOCATOR='omp_large_cap_mem_space:alignment=16,pinned=true'\n
//#Stderr:\[host\] OMP_NUM_TEAMS='3'\n
//#Stderr:\[host\] OMP_STACKSIZE='[0-9]+[BKMG]'\n
//#Stderr:\[host\] OMP_TEAMS_THREAD_LIMIT='4'\n
//#ReferenceFails:libomp prints other variables, libgomp another form
#include "check.h"
#include <omp.h>

int main(void)
{
    CHECK_EQ(omp_get_max_teams(), 3);
    CHECK_EQ(omp_get_teams_thread_limit(), 4);
    return check_result();
}
