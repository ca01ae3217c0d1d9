// A thread that is no thread of OpenMP's ends, and leaves tasks that wait for an event: those that come
// after it know nothing of them.
//#ReferenceFails:it hangs
//#NotRecorded:the tasks that are left are never complete
//#Timeout:10
#include "check.h"
#include <omp.h>
#include <pthread.h>

static omp_event_handle_t event;
static int location, ran;

static void *leave(void *unused)
{
    (void)unused;
    omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) depend(out : location)
    ran++;
    event = mine;
    // It has to wait, for ever: its thread is gone when it may run.
#pragma omp task depend(inout : location)
    {
        CHECK_EQ(1, 0);
    }
    return NULL;
}

static void *work(void *unused)
{
    (void)unused;
    int before = ran;
#pragma omp task depend(inout : location)
    ran++;
    CHECK_EQ(ran, before + 1);
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task depend(inout : location)
        ran++;
    }
    CHECK_EQ(ran, before + 2);
    return NULL;
}

static void run(void *(*body)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    for (int round = 0; round < 20; round++) {
        run(leave);
        run(work);
        omp_fulfill_event(event);
        run(work);
    }
    CHECK_EQ(ran, 100);
    return check_result();
}
