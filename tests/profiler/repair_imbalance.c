/* A loop whose last iterations cost most, in the default static schedule: one thread has nearly all
 * of the work. With REPAIRED the iterations are handed out one by one. */
#include "clock.h"

enum { ROUNDS = 10, ITERATIONS = 16, STEP = 200000 };

static int64_t worked;

__attribute__((noinline)) static void before(void)
{
#pragma omp parallel num_threads(2)
    work_ns(500000);
}

__attribute__((noinline)) static void uneven(void)
{
#ifdef REPAIRED
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : worked) num_threads(2)
#else
#pragma omp parallel for schedule(static) reduction(+ : worked) num_threads(2)
#endif
    for (int i = 0; i < ITERATIONS; i++)
        worked += work_ns(i < ITERATIONS / 2 ? STEP / 10 : 2 * STEP);
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        before();
        uneven();
    }
    print_fact("worked", worked > 0);
    return 0;
}
