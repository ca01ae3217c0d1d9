// A tool of the 2015 report: threads that idle outside of regions, tasks that interrupt a wait, and
// mutexes for which nobody waits.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#NoStderr
//#Trace:2015
//| primary {
//|     start!
//|     init_lock wait_id=$lock hint=0 type=*
//|     fork! $p $root none 2
//|     task! $p %t
//|     create! %task %t
//|     taskwait_begin parallel=$p task=%t codeptr=@WAIT
//|     waits! taskwait $p %t
//|     run! %t %task
//|     waits! taskwait $p %t
//|     taskwait_end parallel=$p task=%t
//|     acquired_lock wait_id=$lock
//|     release_lock wait_id=$lock
//|     acquired_critical wait_id=$critical
//|     release_critical wait_id=$critical
//|     task_over! $p %t @PAR
//|     join! $p $root
//|     destroy_lock wait_id=$lock
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p @PAR
//| }
//| team! $p
//| callback idle_begin always
//| callback wait_lock always
//| callback workshare_begin never
#include <omp.h>

static int over, ran;

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock); //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp task
            ran++;
#pragma omp taskwait //@WAIT
            omp_set_lock(&lock);
            ran++;
            omp_unset_lock(&lock);
#pragma omp critical
            ran++;
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    omp_destroy_lock(&lock);
    return ran == 3 ? 0 : 1;
}
