// One thread makes a million tasks, faster than the others run them, and each gives way in the
// middle. A thread that has made many runs the next at once: its giving way must not let it make
// more, so the tasks that wait have bounded memory.
//#Env:OMP_NUM_THREADS=4
//#Args:1000000 3000
//#NotRecorded:more tasks than a log holds
//#Timeout:60
//#NoStderr
#include "check.h"
#include "resident.h"
#include <omp.h>
#include <stdlib.h>

enum { MOST_KIB = 10 * 1024, LOOKS = 50 };

static void run_tasks(long tasks, int work, long *ran, long *most)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < tasks; i++) {
#pragma omp task shared(ran) firstprivate(work)
        {
            for (volatile int k = 0; k < work; k++)
                ;
#pragma omp taskyield
            __atomic_fetch_add(ran, 1, __ATOMIC_RELAXED);
        }
        if (i % (tasks / LOOKS + 1) == 0) {
            long now = resident();
            *most = now > *most ? now : *most;
        }
    }
}

int main(int count, char **arguments)
{
    long tasks = count > 1 ? atol(arguments[1]) : 1000000, ran = 0, most = 0;
    int work = count > 2 ? atoi(arguments[2]) : 3000;
    // Whatever is made once.
    run_tasks(1000, work, &ran, &most);
    long before = resident();
    ran = most = 0;
    run_tasks(tasks, work, &ran, &most);
    CHECK_EQ(ran, tasks);
    if (most - before >= MOST_KIB)
        fprintf(stderr, "%ld KiB more than before\n", most - before);
    CHECK(most - before < MOST_KIB);
    return check_result();
}
