// A task cancels its taskgroup: tasks that have not begun are discarded, with their dependences and
// those of nested taskgroups; tasks outside are not.
//#Flags[gcc]:-Wno-error
//#Threads:1,2,4
//#Env:OMP_CANCELLATION=true
//#Timeout:60
#include "check.h"
#include <omp.h>

#define TASKS 200

// All tasks that begin after the cancellation are discarded. On one thread, tasks run at once.
static void many(void)
{
    int begun = 0, cancelled = 0, late = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(begun, cancelled, late) firstprivate(i)
            {
                int before;
#pragma omp atomic read
                before = cancelled;
#pragma omp atomic
                begun += 1;
                if (before == 2) {
#pragma omp atomic
                    late += 1;
                }
                if (i == 10) {
#pragma omp atomic write
                    cancelled = 1;
#pragma omp cancel taskgroup
                    // Not reached.
#pragma omp atomic write
                    cancelled = 3;
                }
            }
        }
        CHECK_EQ(cancelled, 1);
        CHECK(begun <= TASKS);
        // The taskgroup is over: a new one is not cancelled.
        int next = 0;
#pragma omp taskgroup
        for (int i = 0; i < 20; i++)
#pragma omp task shared(next)
#pragma omp atomic
            next += 1;
        CHECK_EQ(next, 20);
    }
    CHECK_EQ(late, 0);
}

// A chain of dependent tasks whose first task cancels: no other begins, and a task outside of the
// taskgroup that depends on the chain does.
static void chain(void)
{
    int data = 0;
    int ran = 0, outside = 0;
    (void)data;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task depend(inout : data) shared(ran)
            {
#pragma omp cancel taskgroup
            }
            for (int i = 0; i < 50; i++)
#pragma omp task depend(inout : data) shared(ran)
#pragma omp atomic
                ran += 1;
        }
#pragma omp task depend(inout : data) shared(outside)
        outside = 1;
#pragma omp taskwait
    }
    CHECK_EQ(ran, 0);
    CHECK_EQ(outside, 1);
}

// Tasks of a taskgroup inside the cancelled one are discarded too; tasks of a taskgroup around it
// are not.
static void nested(void)
{
    int inner = 0, outer = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
        for (int i = 0; i < 20; i++)
#pragma omp task shared(outer)
#pragma omp atomic
            outer += 1;
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
#pragma omp taskwait
#pragma omp task shared(inner)
#pragma omp taskgroup
            {
#pragma omp task shared(inner)
                inner += 1;
            }
        }
    }
    CHECK_EQ(inner, 0);
    CHECK_EQ(outer, 20);
}

// A task that has begun goes on until its cancellation point.
static void at_a_point(void)
{
    int is_begun = 0, left = 0;
#pragma omp parallel
#pragma omp single
    if (omp_get_num_threads() > 1) {
#pragma omp taskgroup
        {
#pragma omp task shared(is_begun, left)
            {
#pragma omp atomic write
                is_begun = 1;
                for (;;) {
#pragma omp cancellation point taskgroup
                }
#pragma omp atomic write
                left = 1;
            }
            for (int now = 0; now == 0;) {
#pragma omp atomic read
                now = is_begun;
            }
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
        }
    }
    CHECK_EQ(left, 0);
}

// Taskloops: the loop's taskgroup is cancelled.
static void loops(void)
{
    int ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(ran)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel taskgroup
#pragma omp atomic
        ran += 1;
    }
    CHECK_EQ(ran, 0);
}

// The reduction of a taskgroup that is cancelled combines what its tasks have done.
static void reductions(void)
{
    int sum = 0, next = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum)
            {
                sum += 1;
#pragma omp cancel taskgroup
            }
        }
#pragma omp taskgroup task_reduction(+ : next)
        for (int i = 0; i < 50; i++)
#pragma omp task in_reduction(+ : next)
            next += 1;
    }
    CHECK(sum >= 1 && sum <= 50);
    CHECK_EQ(next, 50);
}

int main(void)
{
    for (int round = 0; round < 50; round++) {
        many();
        chain();
        nested();
        at_a_point();
        loops();
        reductions();
    }
    return check_result();
}
