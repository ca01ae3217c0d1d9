// A critical, a lock and a nestable lock of one thread: no wait, and the inner levels of the last.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#NoStderr
//#Trace:2015
//| primary {
//|     start!
//|     init_lock wait_id=$l hint=0 type=1
//|     init_nest_lock wait_id=$n hint=0 type=1
//|     acquired_critical wait_id=$c
//|     release_critical wait_id=$c
//|     acquired_lock wait_id=$l
//|     release_lock wait_id=$l
//|     acquired_lock wait_id=$l
//|     release_lock wait_id=$l
//|     acquired_nest_lock_first wait_id=$n
//|     acquired_nest_lock_next wait_id=$n
//|     release_nest_lock_prev wait_id=$n
//|     release_nest_lock_last wait_id=$n
//|     destroy_nest_lock wait_id=$n
//|     destroy_lock wait_id=$l
//|     finish!
//| }
#include <omp.h>

int main(void)
{
    int sum = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp critical
    sum++;
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    sum += omp_test_lock(&lock);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    sum += omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(&lock);
    return sum == 4 ? 0 : 1;
}
