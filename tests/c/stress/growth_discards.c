// Detachable tasks that a cancelled taskgroup discards leave no memory behind, though no thread
// fulfils their events, nor do the tasks around them. The argument is the number of groups.
//#Env:OMP_CANCELLATION=true
//#Env:OMP_WAIT_POLICY=passive
//#Threads:1,3
//#Args:8000
//#Timeout:120
//#NotRecorded:more tasks than a log holds
//#ReferenceFails:libgomp uses the memory of a discarded task, libomp waits for its event
//#NoStderr
#include "growth.h"
#include <omp.h>

enum { TASKS = 10 };

static void groups(long count)
{
    long began = 0;
    for (long i = 0; i < count; i++) {
#pragma omp parallel
#pragma omp single
#pragma omp task shared(began)
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
#pragma omp taskwait
            for (int task = 0; task < TASKS; task++) {
                omp_event_handle_t event;
#pragma omp task detach(event) shared(began)
                {
#pragma omp atomic
                    began++;
                    omp_fulfill_event(event);
                }
            }
        }
    }
    CHECK_EQ(began, 0);
}

int main(int arguments, char **argument)
{
    check_growth(groups, arguments, argument);
    return check_result();
}
