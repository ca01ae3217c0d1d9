// A thread of a cancelled region, and one of a cancelled loop in a region around it, wait for a
// debugger.
//#Env:OMP_CANCELLATION=true
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Flags[gcc]:-Wno-error
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

int main(void)
{
    int done = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 2; i++) {
            if (i == 0) {
#pragma omp parallel num_threads(2)
                {
                    if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
                    }
                    fact("inner", NULL, FRAME);
                    wait_for_reader();
                }
                __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
            } else {
#pragma omp cancel for
            }
        }
    }
    CHECK_EQ(done, 1);
    return check_result();
}
