// A cancel construct in a place where it cannot have an effect has none but a warning.
//#Threads:2
//#Env:OMP_CANCELLATION=true
//#Stderr:cancel: parallel: there is no parallel region; the construct has no effect
//#Stderr:cancel: parallel: an explicit task encounters it; the construct has no effect
//#Stderr:cancel: taskgroup: the task is in no taskgroup region; the construct has no effect
//#ReferenceFails:libomp ends the program, and libgomp cancels the region
#include "check.h"
#include <stdbool.h>

#ifdef __clang__
int __kmpc_cancel(void *loc, int gtid, int kind);
int __kmpc_cancellationpoint(void *loc, int gtid, int kind);
int __kmpc_global_thread_num(void *loc);
int kmp_get_cancellation_status(int kind);
enum { PARALLEL = 1, LOOP = 2, TASKGROUP = 4, NONE = 7 };

static bool cancel(int kind)
{
    return __kmpc_cancel(0, __kmpc_global_thread_num(0), kind);
}

static bool is_cancelled(int kind)
{
    CHECK_EQ(kmp_get_cancellation_status(kind), 0);
    return __kmpc_cancellationpoint(0, __kmpc_global_thread_num(0), kind);
}
#else
bool GOMP_cancel(int which, bool do_cancel);
bool GOMP_cancellation_point(int which);
enum { PARALLEL = 1, LOOP = 2, TASKGROUP = 8, NONE = 3 };

static bool cancel(int which)
{
    return GOMP_cancel(which, true);
}

static bool is_cancelled(int which)
{
    return GOMP_cancellation_point(which);
}
#endif

int main(void)
{
    int after = 0;
    CHECK(!cancel(PARALLEL));
    CHECK(!cancel(TASKGROUP));
    CHECK(!cancel(NONE) && !is_cancelled(NONE));
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task
            {
                CHECK(!cancel(PARALLEL));
                CHECK(!cancel(LOOP));
                CHECK(!is_cancelled(PARALLEL) && !is_cancelled(LOOP) && !is_cancelled(TASKGROUP));
            }
        }
#pragma omp barrier
#pragma omp atomic
        after += 1;
    }
    CHECK_EQ(after, 2);
    return check_result();
}
