/* A region in which everything is done in one critical: the lock is the cause, and the wait at the
 * region's end its consequence. A thread leaves the critical when the other one asks for it, so
 * that they wait for each other on a busy machine, too. */
#include <omp.h>
#include <sched.h>

#include "clock.h"

enum { ROUNDS = 3, TURNS = 40 };

/* How often each thread has asked for the critical, and how often it has left it. */
static volatile int asked[2], left[2];

int main(void)
{
    int64_t sum = 0;
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp parallel num_threads(2)
        {
            int me = omp_get_thread_num(), other = 1 - me;
            for (int turn = 0; turn < TURNS; turn++) {
                asked[me]++;
#pragma omp critical
                {
                    sum += spin_until(now_ns() + 250000) > 0;
                    while (asked[other] == left[other] && left[other] < round * TURNS)
                        sched_yield();
                    left[me]++;
                }
            }
        }
    }
    return sum == 2 * ROUNDS * TURNS ? 0 : 1;
}
