/* A function with a region, called by one() and, with three times the work, by two(). */
#include <omp.h>

#include "burn.h"
#include "helper.h"

static volatile int calls;

__attribute__((noinline)) static void body(long steps)
{
    burn(steps);
}

__attribute__((noinline)) static void work(long steps)
{
#pragma omp parallel num_threads(2)
    {
        body(steps);
        /* The outlined function does not end with a call, at which compilers jump. */
        burn_sink = 1;
    }
    calls++;
}

__attribute__((noinline)) static void one(long steps)
{
    work(steps);
    calls++;
}

__attribute__((noinline)) static void two(long steps)
{
    work(3 * steps);
    calls++;
}

int main(void)
{
    await_helper();
    long steps = burn_steps(5);
    for (int round = 0; round < 20; round++) {
        one(steps);
        two(steps);
    }
    print_fact("calls", calls);
    return 0;
}
