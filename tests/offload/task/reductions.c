// Reductions over target constructs: in_reduction of a taskgroup's tasks on the host beside target tasks,
// and results that each deferred construct adds by a dependence.
//#Threads:1,4
#include "check.h"

enum { COUNT = 100 };

int main(void)
{
    long total = 0, host = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : host)
        {
            for (int i = 0; i < COUNT; i++) {
#pragma omp target map(tofrom : total) depend(inout : total) nowait
                total += i;
#pragma omp task in_reduction(+ : host)
                host += i;
            }
        }
    }
    CHECK_EQ(total, COUNT * (COUNT - 1) / 2);
    CHECK_EQ(host, COUNT * (COUNT - 1) / 2);
    return check_result();
}
