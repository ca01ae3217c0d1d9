/* Inner regions in every thread of an outer one; one thread of each inner team does most of the
 * work. The inner teams are there at the same time, so that no thread is in both. */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "clock.h"

/* How many inner regions have begun. */
static atomic_int begun;

int main(void)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
        {
            int teams = omp_get_num_threads();
            spin_until(now_ns() + 100000);
#pragma omp parallel num_threads(3)
            {
                int first = omp_get_thread_num() == 0;
                if (first) {
                    begun++;
                    while (begun < teams * (round + 1))
                        sched_yield();
                }
                spin_until(now_ns() + (first ? 3000000 : 100000));
            }
            spin_until(now_ns() + 100000);
        }
    }
    return 0;
}
