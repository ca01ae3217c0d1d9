// A thread cancels the parallel region: the others leave it at cancellation points, at explicit
// barriers, and at barriers of worksharing regions. The team's next regions are complete.
//#Threads:1,2,4,9
//#Env:OMP_CANCELLATION=true
//#Timeout:60
#include "check.h"
#include <omp.h>

#define ROUNDS 100

// The threads that do not cancel come to a barrier that is never complete.
static void at_a_barrier(int canceller)
{
    int passed = 0, size = 0;
#pragma omp parallel shared(passed, size)
    {
#pragma omp single
        size = omp_get_num_threads();
        if (omp_get_thread_num() == canceller) {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp atomic
        passed += 1;
    }
    if (canceller < size)
        CHECK_EQ(passed, 0);
}

// The others look for the cancellation until they see it.
static void at_a_point(void)
{
    int left = 0;
#pragma omp parallel shared(left)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
        }
        for (;;) {
#pragma omp cancellation point parallel
        }
#pragma omp atomic
        left += 1;
    }
    CHECK_EQ(left, 0);
}

// Threads are at different barriers of worksharing regions, or already at the end.
static void at_loops(int round)
{
    int sum = 0;
#pragma omp parallel shared(sum)
    {
        int me = omp_get_thread_num();
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < 20; i++)
#pragma omp atomic
            sum += 1;
        if (me == round % omp_get_num_threads()) {
#pragma omp cancel parallel
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 20; i++)
            __asm__ volatile("" ::: "memory");
#pragma omp sections
        {
#pragma omp section
            __asm__ volatile("" ::: "memory");
#pragma omp section
            __asm__ volatile("" ::: "memory");
        }
#pragma omp single
        sum = -1;
    }
    CHECK(sum >= 0);
}

// Constructs of the next regions, whose counts a cancelled region may have disturbed.
static void complete(void)
{
    int singles = 0, sum = 0, ordered = 0, value = 0;
#pragma omp parallel reduction(+ : sum) firstprivate(value)
    {
#pragma omp single nowait
#pragma omp atomic
        singles += 1;
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = 0; i < 100; i++)
            sum += 1;
#pragma omp for schedule(guided) ordered
        for (int i = 0; i < 50; i++)
#pragma omp ordered
            CHECK_EQ(ordered++, i);
#pragma omp single copyprivate(value)
        value = 7;
        CHECK_EQ(value, 7);
#pragma omp barrier
#pragma omp single
        singles += 1;
    }
    CHECK_EQ(singles, 2);
    CHECK_EQ(sum, 100);
    CHECK_EQ(ordered, 50);
}

int main(void)
{
    CHECK(omp_get_cancellation());
    for (int round = 0; round < ROUNDS; round++) {
        at_a_barrier(round % 4);
        if (round % 4 == 0)
            complete();
        at_a_point();
        at_loops(round);
        complete();
    }
    return check_result();
}
