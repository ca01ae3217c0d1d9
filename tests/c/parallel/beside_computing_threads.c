// Regions of a thread whose process has more computing threads than processors, as where several
// threads call a library that lets one of them in and has the others poll: a thread of the team
// that waits gives its processor up for a time slice only now and then, not at every wait. The
// bound is in the processor time of the whole process: other processes lengthen the run, and this
// only where they part the threads of the team again and again, which is not so in every try.
//#Needs:2 processors
//#Threads:2
//#Timeout:120
//#NoStderr
//#ReferenceFails[gcc]:libgomp: a wait costs a time slice
//#ReferenceFails[clang]:libomp: a wait costs a time slice
//#NotEmulated:its time would be the emulator's
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

// The least regions; where each wait costs a time slice there are less than 700.
#ifndef LEAST_REGIONS
#define LEAST_REGIONS 1000
#endif

enum { COMPUTING = 4, REGIONS = LEAST_REGIONS, MOST_SECONDS = 2, TRIES = 8 };

static atomic_int is_over;

static void *compute(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&is_over, memory_order_relaxed))
        ;
    return NULL;
}

// About 20 µs.
static void work(void)
{
    for (volatile int i = 0; i < 20000; i++)
        ;
}

static double seconds_of_process(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// How many of the regions have been executed when their time is over.
static int regions_in_time(void)
{
    double began = seconds_of_process();
    int regions = 0;
    while (regions < REGIONS && seconds_of_process() - began < MOST_SECONDS) {
        work();
#pragma omp parallel
        work();
        regions++;
    }
    return regions;
}

int main(void)
{
    pthread_t threads[COMPUTING];
    for (int i = 0; i < COMPUTING; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, compute, NULL), 0);
    int regions = 0;
    for (int tries = 0; tries < TRIES && regions < REGIONS; tries++)
        regions = regions_in_time();
    CHECK_EQ(regions, REGIONS);
    atomic_store(&is_over, 1);
    for (int i = 0; i < COMPUTING; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    return check_result();
}
