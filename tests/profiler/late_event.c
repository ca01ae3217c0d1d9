/* Threads wait for a task whose event a thread that OpenMP does not know fulfils late: "taskwait" at
 * a taskwait, else at the region's end. */
#include <pthread.h>
#include <string.h>

#include <omp.h>

#include "clock.h"

static void *later(void *event)
{
    struct timespec nap = {0, 200000000};
    nanosleep(&nap, NULL);
    omp_fulfill_event((omp_event_handle_t)event);
    return NULL;
}

int main(int count, char **arguments)
{
    int waits = count > 1 && strcmp(arguments[1], "taskwait") == 0, failed = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(failed)
        {
            pthread_t thread;
            failed = pthread_create(&thread, NULL, later, (void *)event);
            if (!failed)
                pthread_detach(thread);
        }
        if (waits) {
#pragma omp taskwait
        }
    }
    return failed;
}
