/* A thread that OpenMP does not know works for 200 ms while a region runs. Prints its CPU time, ns.
 */
#include <omp.h>
#include <pthread.h>
#include <stddef.h>

#include "clock.h"

static int64_t used;

static void *work(void *nothing)
{
    struct timespec time;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    while (time.tv_sec == 0 && time.tv_nsec < 200000000);
    used = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0)
        return 1;
#pragma omp parallel num_threads(2)
    spin_until(now_ns() + 20000000);
    pthread_join(thread, NULL);
    print_fact("outside", used);
    return 0;
}
