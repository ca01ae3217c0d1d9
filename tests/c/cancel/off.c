// Without OMP_CANCELLATION the constructs have no effect.
//#Flags[gcc]:-Wno-error
//#Threads:1,3
//#Vary:OMP_CANCELLATION=false|0
#include "check.h"
#include <omp.h>

int main(void)
{
    int passed = 0, iterations = 0, sections = 0, tasks = 0, threads = 0;
    CHECK(!omp_get_cancellation());
#pragma omp parallel reduction(+ : passed)
    {
#pragma omp cancel parallel
#pragma omp cancellation point parallel
        passed += 1;
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK_EQ(passed, threads);
#pragma omp parallel for reduction(+ : iterations)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp cancellation point for
        iterations += 1;
    }
    CHECK_EQ(iterations, 100);
#pragma omp parallel sections reduction(+ : sections)
    {
#pragma omp section
        {
#pragma omp cancel sections
            sections += 1;
        }
#pragma omp section
        {
#pragma omp cancellation point sections
            sections += 1;
        }
    }
    CHECK_EQ(sections, 2);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
#pragma omp cancel taskgroup
#pragma omp atomic
            tasks += 1;
        }
    }
    CHECK_EQ(tasks, 20);
    return check_result();
}
