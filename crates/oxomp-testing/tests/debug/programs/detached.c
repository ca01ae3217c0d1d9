// Nobody fulfils the event of a detached task, and two tasks depend on it.
//#Verdict:deadlock
//#Says:event
#include "planted.h"

static int value;
static omp_event_handle_t handle;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : value) //@DETACHED
        handle = event;
#pragma omp task depend(in : value) //@FIRST
        printf("%d\n", value);
#pragma omp task depend(in : value) //@SECOND
        printf("%d\n", value + 1);
#pragma omp taskwait //@TASKWAIT
        value++; //@TASKWAIT
    }
    printf("%d\n", handle != 0);
    return 0;
}
