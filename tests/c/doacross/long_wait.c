// A thread that waits long for an iteration leaves the processor alone.
//#Opt:-O1
//#Threads:4
//#Env:OMP_WAIT_POLICY=passive
//#ReferenceFails:both runtimes' waits for an iteration spin or yield without end
#include "check.h"
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
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 4; i++) {
        if (i == 0)
            usleep(600000);
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
    }
    // Of 600 ms, which three threads wait.
    CHECK(processor_time() - began < 0.25);
    return check_result();
}
