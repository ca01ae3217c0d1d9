// An untied task in a team of one thread, generated while the event of the task around it is not
// fulfilled: the task runs to its end, all its parts.
//#Threads:1
//#Flags:-Wno-uninitialized
#include "check.h"
#include <omp.h>

static int ran;

static void detached_around_untied(void)
{
    int x = 0;
    omp_event_handle_t event;
#pragma omp task shared(x) detach(event) depend(out : x)
    {
#pragma omp task untied depend(out : x) shared(x)
        {
            x++;
            __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
        }
        omp_fulfill_event(event);
    }
#pragma omp taskwait
}

int main(void)
{
    detached_around_untied();
    CHECK_EQ(ran, 1);
#pragma omp parallel num_threads(1)
    detached_around_untied();
    CHECK_EQ(ran, 2);
    return check_result();
}
