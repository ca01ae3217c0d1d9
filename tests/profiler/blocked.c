/* Threads that block, as the first argument says: in a sleep, for a mutex of the threads library,
 * for input, in short regions, or in serial code. Prints how long all threads together asked to sleep
 * (asked) and how long the calls took that block (waits), ns. */
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "helper.h"

enum { NAPS = 15, NAP = 20000000, SHORT_NAPS = 400, SHORT_NAP = 150000 };
enum { HOLDS = 20, HOLD = 10000000 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
/* How often each thread has asked for the mutex, and how often it has left it. */
static volatile int asks[2], left[2];
/* Whether a thread is about to read. */
static volatile int reading;

/* The sleep returns 0: no signal of a profiler wakes it. */
__attribute__((noinline)) static int nap(long length)
{
    struct timespec time = {0, length};
    int interrupted = nanosleep(&time, NULL);
    return interrupted;
}

/* The thread holds the mutex until the other one has asked for it, so that both wait. */
__attribute__((noinline)) static int64_t insert(int me)
{
    int other = 1 - me;
    int64_t begin = now_ns();
    asks[me]++;
    pthread_mutex_lock(&guard);
    int64_t waited = now_ns() - begin;
    while (asks[other] == left[other] && left[other] < HOLDS)
        sched_yield();
    work_ns(HOLD);
    left[me]++;
    pthread_mutex_unlock(&guard);
    return waited;
}

__attribute__((noinline)) static int take(void)
{
    char byte;
    int taken = read(ends[0], &byte, 1) == 1;
    return taken;
}

static void *feed(void *unused)
{
    while (!reading)
        sched_yield();
    for (int byte = 0; byte < NAPS; byte++) {
        nap(NAP);
        if (write(ends[1], "x", 1) != 1)
            return unused;
    }
    close(ends[1]);
    return unused;
}

int main(int count, char **words)
{
    const char *mode = count > 1 ? words[1] : "";
    int64_t asked = 0, waits = 0, interrupted = 0;
    omp_get_max_threads();
    await_helper();
    if (strcmp(mode, "sleep") == 0) {
#pragma omp parallel num_threads(2) reduction(+ : asked, waits, interrupted)
        {
            int64_t begin = now_ns();
            for (int step = 0; step < NAPS; step++, asked += NAP)
                interrupted += nap(NAP) != 0;
            waits += now_ns() - begin;
        }
    } else if (strcmp(mode, "short") == 0) {
        for (int step = 0; step < SHORT_NAPS; step++) {
#pragma omp parallel num_threads(2) reduction(+ : asked, waits, interrupted)
            {
                int64_t begin = now_ns();
                interrupted += nap(SHORT_NAP) != 0;
                waits += now_ns() - begin;
                asked += SHORT_NAP;
            }
        }
    } else if (strcmp(mode, "mutex") == 0) {
#pragma omp parallel num_threads(2) reduction(+ : waits)
        for (int step = 0; step < HOLDS; step++)
            waits += insert(omp_get_thread_num());
    } else if (strcmp(mode, "read") == 0) {
        pthread_t feeder;
        if (pipe(ends) != 0 || pthread_create(&feeder, NULL, feed, NULL) != 0)
            return 1;
#pragma omp parallel num_threads(1) reduction(+ : asked, waits)
        {
            int64_t begin = now_ns();
            reading = 1;
            while (take())
                asked += NAP;
            waits += now_ns() - begin;
        }
        pthread_join(feeder, NULL);
    } else if (strcmp(mode, "serial") == 0) {
#pragma omp parallel num_threads(2)
        work_ns(1000000);
        int64_t begin = now_ns();
        for (int step = 0; step < NAPS; step++, asked += NAP)
            interrupted += nap(NAP) != 0;
        waits += now_ns() - begin;
#pragma omp parallel num_threads(2)
        work_ns(1000000);
    } else {
#pragma omp parallel num_threads(2)
        work_ns(200000000);
    }
    print_fact("asked", asked);
    print_fact("waits", waits);
    print_fact("interrupted", interrupted);
    return 0;
}
