// Who waits long for its turn, or for a loop that others have not left, leaves the processor alone.
//#Opt:-O1
//#Threads:4
//#Env:OMP_WAIT_POLICY=passive
//#ReferenceFails:libomp's waits for a turn yield without end
#include "check.h"
#include <omp.h>
#include <time.h>
#include <unistd.h>

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void)
{
    double began = processor_time();
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 4; i++) {
        if (i == 0)
            usleep(400000);
#pragma omp ordered
        {
        }
    }
#pragma omp parallel
    for (int loop = 0; loop < 20; loop++) {
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 8; i++) {
        }
        if (loop == 0 && omp_get_thread_num() == 0)
            usleep(400000);
    }
    // Of 800 ms.
    CHECK(processor_time() - began < 0.25);
    return check_result();
}
