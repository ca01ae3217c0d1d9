// Regions of several sizes, nested, serialized and of a foreign thread, and explicit tasks, to be
// counted by who watches their begins and ends. Prints how many of each there are.
//#Vary:OMP_DEBUG=disabled|enabled
//#Stdout:regions=19 tasks=45
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>

static int regions, tasks;

#define COUNT_TASK __atomic_fetch_add(&tasks, 1, __ATOMIC_RELAXED)

static void region(int threads)
{
#pragma omp parallel num_threads(threads)
    {
        COUNT_TASK;
        if (omp_get_thread_num() == 0)
            __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
    }
}

static void explicit_tasks(void)
{
    for (int i = 0; i < 4; i++) {
        // It may go on several times, and begins once.
#pragma omp task untied
        {
            COUNT_TASK;
#pragma omp taskyield
        }
    }
#pragma omp task final(1)
    {
        COUNT_TASK;
#pragma omp task
        COUNT_TASK;
    }
#pragma omp task if (0)
    COUNT_TASK;
}

static void *visitor(void *unused)
{
    COUNT_TASK; // its initial task
    region(2);
    return unused;
}

int main(void)
{
    COUNT_TASK; // the initial task
    omp_set_max_active_levels(2);
    for (int i = 0; i < 10; i++)
        region(2);
    for (int i = 0; i < 4; i++)
        region(1);
#pragma omp parallel num_threads(2)
    {
        COUNT_TASK;
        if (omp_get_thread_num() == 0)
            __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
        region(3);
    }
#pragma omp parallel num_threads(2)
    {
        COUNT_TASK;
        if (omp_get_thread_num() == 0) {
            __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
            explicit_tasks();
        }
    }
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, visitor, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    printf("regions=%d tasks=%d\n", regions, tasks);
    return check_result();
}
