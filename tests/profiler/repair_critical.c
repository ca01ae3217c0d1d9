/* A critical in which the threads spend most of their time. With REPAIRED all but a little of the
 * work is done before it. */
#include "clock.h"

enum { ROUNDS = 150, WORK = 200000 };

static int64_t sum;

__attribute__((noinline)) static void add(void)
{
    int64_t part = 0;
#ifdef REPAIRED
    part = work_ns(WORK);
#endif
#pragma omp critical(sum)
    {
#ifndef REPAIRED
        part = work_ns(WORK);
#endif
        sum += part;
    }
}

int main(void)
{
#pragma omp parallel num_threads(2)
    for (int round = 0; round < ROUNDS; round++)
        add();
    print_fact("worked", sum > 0);
    return 0;
}
