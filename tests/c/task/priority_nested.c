// Many tasks of a priority wait while others are in the middle: who may not run them does not look at
// each of them again and again.
//#Env:OMP_MAX_TASK_PRIORITY=100
//#Threads:1,2,4
//#Timeout:8
//#NotRecorded:a million events, of kinds that other programs have
#include "check.h"
#include <omp.h>

enum { TASKS = 50000 };

int main(void)
{
    long inner = 0, yielded = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(1 + i % 100) shared(inner) firstprivate(i)
        {
            int here = 0;
            for (int j = 0; j < 3; j++) {
                // Some of them have a priority, too.
#pragma omp task shared(here) priority(i % 2 * 100)
                {
#pragma omp atomic
                    here++;
                }
            }
#pragma omp taskwait
            CHECK_EQ(here, 3);
#pragma omp atomic
            inner += here;
        }
    }
    CHECK_EQ(inner, 3 * TASKS);

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(1) shared(yielded)
        {
#pragma omp taskyield
#pragma omp atomic
            yielded++;
        }
    }
    CHECK_EQ(yielded, TASKS);
    return check_result();
}
