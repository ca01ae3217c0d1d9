// Dynamic schedules give work to the threads that are free: while a thread is in the first
// iteration, more are executed than the half of the other one, or of a guided loop many.
//#Env:OMP_NUM_THREADS=2
//#Vary:OMP_SCHEDULE=dynamic|dynamic,3|monotonic:dynamic|guided
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <unistd.h>

static int done[2];

static int done_by_both(void)
{
    int of_first = __atomic_load_n(&done[0], __ATOMIC_ACQUIRE);
    return of_first + __atomic_load_n(&done[1], __ATOMIC_ACQUIRE);
}

// Waits until so many iterations have been executed; for half a minute at most.
static void until(int count)
{
    for (int i = 0; i < 30000 && done_by_both() < count; i++)
        usleep(1000);
    CHECK(done_by_both() >= count);
}

int main(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    // The first chunk of a guided loop is large, so its owner may be slow and still do much.
    const int is_dynamic = ((unsigned)kind & 0xff) == omp_sched_dynamic;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(runtime)
        for (int i = 0; i < 200; i++) {
            if (i == 0)
                until(is_dynamic ? 120 : 50);
            __atomic_add_fetch(&done[me], 1, __ATOMIC_RELEASE);
        }
    }
    CHECK_EQ(done_by_both(), 200);
    return check_result();
}
