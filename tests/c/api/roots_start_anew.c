// What a plain thread sets is its own: it is no other thread's when it has ended.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_SCHEDULE=static
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>

static void check_defaults(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(omp_get_max_threads(), 2);
    CHECK_EQ(omp_get_dynamic(), 0);
    CHECK_EQ(omp_get_max_active_levels(), 2);
    CHECK_EQ(kind & 0xff, omp_sched_static);
}

static void *change(void *unused)
{
    check_defaults();
    omp_set_num_threads(5);
    omp_set_dynamic(1);
    omp_set_max_active_levels(7);
    omp_set_schedule(omp_sched_guided, 3);
    return unused;
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, change, NULL), 0);
        pthread_join(thread, NULL);
    }
    // The first call of this thread.
    check_defaults();
    return check_result();
}
