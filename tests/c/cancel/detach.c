// A discarded task with an event is complete; a call that fulfils the event afterwards has no
// effect, also when another task is in the memory of the discarded one. A task that has begun waits
// for its event.
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
            // Late calls do not fulfil the events of the next tasks.
            omp_event_handle_t next[EVENTS];
            char ties[EVENTS];
            (void)ties;
            for (int i = 0; i < EVENTS; i++) {
                omp_event_handle_t event;
#pragma omp task detach(event) depend(out : ties[i]) shared(began)
                {
#pragma omp atomic
                    began += 1;
                }
                next[i] = event;
#pragma omp task depend(in : ties[i]) shared(after)
                {
#pragma omp atomic
                    after += 1;
                }
            }
            for (int i = 0; i < EVENTS; i += 2)
                omp_fulfill_event(events[i]);
            for (int i = 0; i < 4 * EVENTS; i++) {
#pragma omp taskyield
            }
            int early;
#pragma omp atomic read
            early = after;
            CHECK_EQ(early, 0);
            for (int i = 0; i < EVENTS; i++)
                omp_fulfill_event(next[i]);
#pragma omp taskwait
            CHECK_EQ(began, EVENTS);
            CHECK_EQ(after, EVENTS);
        }
    }
    return check_result();
}
