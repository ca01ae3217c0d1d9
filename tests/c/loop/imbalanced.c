// Dynamic schedules give work to the threads that are free.
//#Env:OMP_NUM_THREADS=2
//#Vary:OMP_SCHEDULE=dynamic|dynamic,3|monotonic:dynamic|guided
//#Vary:OMP_WAIT_POLICY=active|passive
//#NoStderr
#include "check.h"
#include <omp.h>
#include <unistd.h>

int main(void)
{
    int done[2] = {0}, slow = 0;
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(runtime)
        for (int i = 0; i < 200; i++) {
            if (i == 0) {
                slow = me;
                usleep(300000);
            }
            usleep(100);
            done[me]++;
        }
    }
    CHECK_EQ(done[0] + done[1], 200);
    // The first chunk of a guided loop is large, so its owner may be slow and still do much.
    if (((unsigned)kind & 0xff) == omp_sched_dynamic)
        CHECK(done[slow] < done[1 - slow]);
    return check_result();
}
