// A thread that OpenMP does not know fulfils an event while the team arrives at a barrier: the task
// that waited for it becomes ready in the last moment, and runs before the barrier ends. Only gcc
// lets a dependent task wait for the event of an undeferred one. On a busy machine it ends after ten
// seconds: each region waits for the thread's turn on a processor.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Args:100000
//#NotRecorded:more tasks than a log holds
//#ReferenceFails:libgomp 12 waits for ever for events of other threads
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { LONGEST_DELAY = 400, LEAST_REGIONS = 1000, MOST_SECONDS = 10 };

// The event that is to be fulfilled, if there is one.
static omp_event_handle_t event;
static int is_due, over;

static void *fulfil(void *unused)
{
    unsigned seed = 1;
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
        if (!__atomic_load_n(&is_due, __ATOMIC_ACQUIRE)) {
            sched_yield();
            continue;
        }
        omp_event_handle_t due = event;
        __atomic_store_n(&is_due, 0, __ATOMIC_RELAXED);
        for (volatile int i = rand_r(&seed) % LONGEST_DELAY; i > 0; i--)
            ;
        omp_fulfill_event(due);
    }
    return unused;
}

int main(int count, char **arguments)
{
    long regions = count > 1 ? atol(arguments[1]) : 100000;
    pthread_t foreigner;
    CHECK_EQ(pthread_create(&foreigner, NULL, fulfil, NULL), 0);
    double begin = omp_get_wtime();
    for (long region = 0; region < regions; region++) {
        if (region > LEAST_REGIONS && omp_get_wtime() - begin > MOST_SECONDS)
            break;
        int value = 0, ran = 0;
#pragma omp parallel shared(value, ran)
        {
            if (omp_get_thread_num() == 0) {
                omp_event_handle_t handle;
#pragma omp task if (0) detach(handle) depend(out : value) shared(value)
                {
                    event = handle;
                    value = 1;
                }
#pragma omp task depend(in : value) shared(value, ran)
                __atomic_store_n(&ran, value, __ATOMIC_RELAXED);
                __atomic_store_n(&is_due, 1, __ATOMIC_RELEASE);
            }
#pragma omp barrier
            CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), 1);
        }
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_join(foreigner, NULL), 0);
    return check_result();
}
