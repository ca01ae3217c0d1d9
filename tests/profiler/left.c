/* A region that the program leaves: "exit": thread 0 calls exit(3) while thread 1 sleeps; "wait":
 * while thread 1 is at a barrier; "end": thread 1 ends before the barrier, and a thread that OpenMP
 * does not know calls exit(3). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "clock.h"

enum { LENGTH_MS = 300 };

static void nap(long milliseconds)
{
    struct timespec length = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&length, NULL);
}

static void leave(void)
{
    print_fact("length", LENGTH_MS * INT64_C(1000000));
    exit(0);
}

static void *later(void *nothing)
{
    nap(LENGTH_MS);
    leave();
    return nothing;
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "exit";
    int ends = strcmp(mode, "end") == 0, waits = strcmp(mode, "wait") == 0;
    pthread_t thread;
    /* Other regions come first, of which a part may be in sums only. */
    for (int round = 0; round < 100; round++) {
#pragma omp parallel num_threads(2)
        work_ns(10000);
    }
    if (ends && pthread_create(&thread, NULL, later, NULL) != 0)
        return 1;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            if (ends)
                pthread_exit(NULL);
            if (!waits)
                nap(60000);
        } else if (!ends) {
            nap(LENGTH_MS);
            leave();
        }
#pragma omp barrier
        work_ns(1000);
    }
    return 1;
}
