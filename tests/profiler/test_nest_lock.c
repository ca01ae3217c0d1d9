/* A thread that has a nestable lock tests it again and again: each test succeeds. */
#include <omp.h>

#include "clock.h"

int main(void)
{
    int64_t taken = 0;
#pragma omp parallel num_threads(2) reduction(+ : taken)
    {
        omp_nest_lock_t lock;
        omp_init_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        for (int round = 0; round < 20000; round++) {
            if (omp_test_nest_lock(&lock)) {
                taken++;
                omp_unset_nest_lock(&lock);
            }
        }
        omp_unset_nest_lock(&lock);
        omp_destroy_nest_lock(&lock);
    }
    print_fact("taken", taken);
    return 0;
}
