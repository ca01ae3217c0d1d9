/* Regions, barriers, tasks with dependences and a lock for which a thread waits. */
#include "waits.h"
#include <omp.h>

int main(void)
{
    static int sum, value;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            omp_set_lock(&lock);
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            until_waits(1);
        else
            omp_set_lock(&lock);
        omp_unset_lock(&lock);
#pragma omp master
#pragma omp taskgroup
        {
#pragma omp task depend(out : value)
            value = 1;
#pragma omp task depend(in : value)
            sum += value;
#pragma omp task if (0)
            {
#pragma omp taskwait
            }
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++) {
#pragma omp critical
            sum++;
        }
    }
    omp_destroy_lock(&lock);
    return sum == 5 ? 0 : 1;
}
