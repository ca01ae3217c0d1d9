/* A thread tests a lock again and again that the other one holds for a while. */
#include <omp.h>

#include "clock.h"

int main(void)
{
    int64_t failed = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2) reduction(+ : failed)
    for (int round = 0; round < 20; round++) {
        while (!omp_test_lock(&lock))
            failed++;
        work_ns(5000000);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    print_fact("failed", failed);
    return 0;
}
