// Events fulfilled before, during and after the body, by other tasks and threads, in any team.
//#Threads:1,2,4
//#Repeat:3
//#Flags:-pthread -Wno-uninitialized
//#ReferenceFails[gcc]:libgomp 12 waits for ever for tasks whose event another thread fulfils
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

enum { MANY = 64 };

static omp_event_handle_t handles[MANY];
static int filled, done;

static void *late(void *argument)
{
    long count = (long)argument;
    while (__atomic_load_n(&filled, __ATOMIC_ACQUIRE) != count) {
    }
    usleep(500);
    for (long i = 0; i < count; i++) {
        __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
        omp_fulfill_event(handles[i]);
    }
    return NULL;
}

static void detached(int index)
{
    omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(index)
    {
        handles[index] = event;
        __atomic_fetch_add(&filled, 1, __ATOMIC_RELEASE);
    }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 20; round++) {
        // By the body itself, by the body's child, by a task after it.
        int ran = 0;
        omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
        {
            ran = 1;
            omp_fulfill_event(event);
            ran = 2;
        }
#pragma omp taskwait
        CHECK_EQ(ran, 2);
#pragma omp task detach(event) shared(ran)
        {
#pragma omp task shared(ran)
            {
                __atomic_store_n(&ran, 3, __ATOMIC_RELAXED);
                omp_fulfill_event(event);
            }
        }
#pragma omp taskwait
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), 3);

        // Fulfilled right after the construct, maybe before the body has begun.
        int body = 0;
#pragma omp task detach(event) shared(body)
        body = 1;
        omp_fulfill_event(event);
#pragma omp taskwait
        CHECK_EQ(body, 1);

        // Dependents wait for the event.
        int value = 0;
#pragma omp task detach(event) depend(out : value) shared(value)
        value = 1;
#pragma omp task depend(in : value) shared(value)
        CHECK_EQ(value, 2);
#pragma omp taskyield
        while (__atomic_load_n(&value, __ATOMIC_ACQUIRE) != 1) {
#pragma omp taskyield
        }
        __atomic_store_n(&value, 2, __ATOMIC_RELEASE);
        omp_fulfill_event(event);
#pragma omp taskwait

        // In a taskgroup, of a final task.
        int inner = 0;
#pragma omp taskgroup
        {
#pragma omp task detach(event) shared(inner)
            {
                __atomic_fetch_add(&inner, 1, __ATOMIC_RELAXED);
                omp_fulfill_event(event);
            }
#pragma omp task final(1) shared(inner)
            {
                omp_event_handle_t own;
#pragma omp task detach(own) shared(inner)
                {
                    __atomic_fetch_add(&inner, 1, __ATOMIC_RELAXED);
                    omp_fulfill_event(own);
                }
            }
        }
        CHECK_EQ(inner, 2);
    }

    // Threads that OpenMP has never seen; one and many pending at taskwait, taskgroup end and
    // barrier.
    for (long count = 1; count <= MANY; count *= 8) {
        for (int where = 0; where < 4; where++) {
            filled = done = 0;
            pthread_t thread;
            pthread_create(&thread, NULL, late, (void *)count);
            switch (where) {
            case 0:
#pragma omp parallel
#pragma omp single
            {
                for (int i = 0; i < count; i++)
                    detached(i);
#pragma omp taskwait
                CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), count);
            }
                break;
            case 1:
#pragma omp parallel
#pragma omp master
            {
#pragma omp taskgroup
                for (int i = 0; i < count; i++)
                    detached(i);
                CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), count);
            }
                break;
            case 2:
#pragma omp parallel
            {
#pragma omp for
                for (int i = 0; i < count; i++)
                    detached(i);
                CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), count);
            }
                break;
            case 3:
                // Outside any region.
                for (int i = 0; i < count; i++)
                    detached(i);
#pragma omp taskwait
                CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), count);
            }
            CHECK_EQ(done, count);
            pthread_join(thread, NULL);
        }
    }

    // Races between the end of the body and the event.
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 500; i++) {
        omp_event_handle_t event;
        int body = 0;
#pragma omp taskgroup
        {
#pragma omp task detach(event) shared(body)
            body++;
#pragma omp task firstprivate(event)
            omp_fulfill_event(event);
        }
        CHECK_EQ(body, 1);
    }
    return check_result();
}
