// Thousands of tasks wait for one that is complete only when all of them have been made: by an event
// that the generating task fulfils, and by a task that sleeps until then. They are made nevertheless.
//#Threads:2,4
//#Timeout:60
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <omp.h>
#include <unistd.h>

static void with_event(int count)
{
    int version = 0, seen = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : version) shared(version)
        version = 1;
        for (int i = 0; i < count; i++) {
#pragma omp task depend(in : version) shared(version, seen)
#pragma omp atomic update
            seen += version;
        }
        int early;
#pragma omp atomic read
        early = seen;
        CHECK_EQ(early, 0);
        omp_fulfill_event(event);
    }
    CHECK_EQ(seen, count);
}

static void with_sleeper(int count)
{
    int version = 0, begun = 0, made = 0, seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : version) shared(version, begun, made)
        {
            __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
            while (!__atomic_load_n(&made, __ATOMIC_RELAXED))
                usleep(100000);
            version = 1;
        }
        while (!__atomic_load_n(&begun, __ATOMIC_RELAXED))
            usleep(100);
        for (int i = 0; i < count; i++) {
#pragma omp task depend(in : version) shared(version, seen)
#pragma omp atomic update
            seen += version;
        }
        __atomic_store_n(&made, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(seen, count);
}

int main(void)
{
    with_event(10000);
    with_sleeper(3000);
    return check_result();
}
