/* Tasks with regions inside, most of which run after their threads' arrival at the region's end; a
 * barrier outside every region. */
#include <omp.h>

#include "clock.h"

int main(void)
{
    int64_t sum = 0;
#pragma omp barrier
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp masked
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(sum)
        {
#pragma omp parallel num_threads(2)
            {
                int64_t begin = now_ns();
                spin_until(begin + 300000);
            }
#pragma omp atomic
            sum++;
        }
    }
    print_fact("sum", sum);
    return 0;
}
