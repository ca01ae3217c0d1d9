// LLVM's kinds of OMP_SCHEDULE: known by their numbers, and every iteration once.
//#Compilers:clang
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=trapezoidal,3|static_steal,5|auto
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000 };

int main(void)
{
    static int times[N];
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    const char *schedule = getenv("OMP_SCHEDULE");
    CHECK_EQ(kind, !strcmp(schedule, "auto") ? 4 : !strcmp(schedule, "static_steal,5") ? 2 : 101);
    CHECK_EQ(chunk, !strcmp(schedule, "auto") ? 1 : !strcmp(schedule, "static_steal,5") ? 5 : 3);
    for (int bound = 0; bound < N; bound = bound * 3 / 2 + 1) {
        for (int i = 0; i < N; i++)
            times[i] = 0;
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < bound; i++) {
#pragma omp atomic
            times[i]++;
        }
        for (int i = 0; i < N; i++)
            CHECK_EQ(times[i], i < bound);
    }
    return check_result();
}
