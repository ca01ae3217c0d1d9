// A variable that main sets before the first construct counts.
//#NotRecorded:with a tool the runtime starts, and reads its variables, before main
//#Compilers:clang
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("OMP_SCHEDULE", "guided,9", 1);
    int size = 0, chunk = 0;
    omp_sched_t kind;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(size, 3);
    CHECK_EQ((unsigned)kind & 0xff, omp_sched_guided);
    CHECK_EQ(chunk, 9);
    return check_result();
}
