// Cancellation points as the first calls of a process, and of a thread that OpenMP does not know:
// there is no region that could be cancelled.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_CANCELLATION=true
//#ReferenceFails:libgomp crashes on a thread that it does not know
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>

enum { PARALLEL = 1, LOOP = 2, SECTIONS = 4, TASKGROUP = 8 };

extern bool GOMP_cancellation_point(int);

static int found(void)
{
    return GOMP_cancellation_point(PARALLEL) + GOMP_cancellation_point(LOOP) +
           GOMP_cancellation_point(SECTIONS) + GOMP_cancellation_point(TASKGROUP);
}

static void *on_thread(void *result)
{
    *(int *)result = found();
    return NULL;
}

static int beside(void)
{
    int result = -1;
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, on_thread, &result), 0);
    pthread_join(thread, NULL);
    return result;
}

int main(void)
{
    CHECK_EQ(found(), 0);
    CHECK_EQ(beside(), 0);
    int reached = 0;
#pragma omp parallel
    {
#pragma omp cancel parallel
#pragma omp atomic write
        reached = 1;
    }
    CHECK_EQ(reached, 0);
    int cancelled = 0, others = 0;
#pragma omp parallel reduction(+ : cancelled, others)
    {
        cancelled += found();
        others += beside();
    }
    CHECK_EQ(cancelled, 0);
    CHECK_EQ(others, 0);
    return check_result();
}
