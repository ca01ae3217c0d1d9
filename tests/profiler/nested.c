/* Inner regions in every thread of an outer one; one thread of each inner team does most of the
 * work. */
#include <omp.h>

#include "clock.h"

int main(void)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
        {
            spin_until(now_ns() + 100000);
#pragma omp parallel num_threads(3)
            spin_until(now_ns() + (omp_get_thread_num() == 0 ? 3000000 : 100000));
            spin_until(now_ns() + 100000);
        }
    }
    return 0;
}
