// A thread sets a lock and begins an inner region, in which another thread wants the lock.
//#Verdict:deadlock
//#Says:@WANTS
#include "planted.h"

static omp_lock_t lock;

__attribute__((noinline)) static void inner(void)
{
#pragma omp parallel num_threads(2) //@INNER
    if (omp_get_thread_num() == 1) {
        omp_set_lock(&lock); //@WANTS
        omp_unset_lock(&lock);
    }
    meet(1);
}

int main(void)
{
    omp_init_lock(&lock);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) //@OUTER
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            inner();
            omp_unset_lock(&lock);
        }
    }
    puts("over");
    return 0;
}
