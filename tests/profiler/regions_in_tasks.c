/* Tasks with target constructs, and with regions that have tasks of their own, most of which run
 * after their threads' arrival at the region's end; a barrier outside every region. */
#include <omp.h>

#include "clock.h"

static int64_t sum;

static void spin(void)
{
    int64_t begin = now_ns();
    spin_until(begin + 200000);
}

static void create_tasks(void)
{
    for (int i = 0; i < 10; i++) {
#pragma omp task
        {
            spin();
#pragma omp target
            {
#pragma omp task
                spin();
#pragma omp taskwait
            }
#pragma omp parallel num_threads(2)
            {
#pragma omp task
                spin();
#pragma omp critical
                spin();
            }
#pragma omp atomic
            sum++;
        }
    }
}

int main(void)
{
#pragma omp barrier
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
    create_tasks();
    print_fact("sum", sum);
    return 0;
}
