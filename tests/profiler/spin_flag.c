/* One thread of two computes, and tells the other by a variable when it is done; the other one
 * waits for that in a loop. */
#include <omp.h>

#include "clock.h"

enum { ROUNDS = 40, LENGTH = 5000000 };

static int done;
static long steps;

__attribute__((noinline)) static void compute(int round)
{
    int64_t end = now_ns() + LENGTH;
    while (now_ns() < end)
        steps += round;
#pragma omp atomic write
    done = round;
}

__attribute__((noinline)) static void wait_for(int round)
{
    int now;
    do {
#pragma omp atomic read
        now = done;
    } while (now < round);
}

int main(void)
{
#pragma omp parallel num_threads(2)
    for (int round = 1; round <= ROUNDS; round++) {
        if (omp_get_thread_num() == 0)
            compute(round);
        else
            wait_for(round);
    }
    print_fact("done", done);
    return 0;
}
