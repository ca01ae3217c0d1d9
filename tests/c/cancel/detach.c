// A discarded task with an event is complete; a call that fulfils the event afterwards has no
// effect. A task that has begun waits for its event.
//#Threads:1,2,4
//#Env:OMP_CANCELLATION=true
//#Timeout:60
//#ReferenceFails:libgomp uses the memory of a discarded task, libomp waits for its event
#include "check.h"
#include <omp.h>

#define EVENTS 32

int main(void)
{
    for (int round = 0; round < 100; round++) {
        omp_event_handle_t events[EVENTS];
        int began = 0, after = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp cancel taskgroup
                }
#pragma omp taskwait
                for (int i = 0; i < EVENTS; i++) {
                    omp_event_handle_t event;
#pragma omp task detach(event) shared(began)
                    {
#pragma omp atomic
                        began += 1;
                    }
                    events[i] = event;
                    // Of one half, the event is fulfilled at once.
                    if (i % 2)
                        omp_fulfill_event(event);
                }
            }
            CHECK_EQ(began, 0);
            // Tasks in blocks of their own: late calls do not fulfil their events.
            omp_event_handle_t next;
#pragma omp task detach(next) shared(after)
            {
#pragma omp atomic
                after += 1;
            }
            for (int i = 0; i < EVENTS; i += 2)
                omp_fulfill_event(events[i]);
#pragma omp atomic
            after += 1;
            omp_fulfill_event(next);
#pragma omp taskwait
            CHECK_EQ(after, 2);
        }
    }
    return check_result();
}
