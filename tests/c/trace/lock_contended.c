// A thread asks for a lock that another one holds, and gets it when it is given back.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     lock_init kind=lock hint=0 impl=* wait_id=$l codeptr=*
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     mutex_acquire kind=lock hint=* impl=* wait_id=$l codeptr=@HOLD
//|     mutex_acquired kind=lock wait_id=$l codeptr=@HOLD as held
//|     barrier! barrier_explicit $p %t MEET
//|     mutex_released kind=lock wait_id=$l codeptr=@FREE as free
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     lock_destroy kind=lock wait_id=$l codeptr=*
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     barrier! barrier_explicit $p %t MEET
//|     mutex_acquire kind=lock hint=* impl=* wait_id=$l codeptr=@WANT as want
//|     mutex_acquired kind=lock wait_id=$l codeptr=@WANT as get
//|     mutex_released kind=lock wait_id=$l codeptr=@DONE
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p MEET
//| order want < free
//| order held < get
#include <omp.h>
#include <unistd.h>

static omp_lock_t lock;
static int asks;

int main(void)
{
    int locked = 0, both = 0;
    omp_init_lock(&lock);
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() == 0)
            omp_set_lock(&lock); //@HOLD
#pragma omp barrier //@MEET
        if (omp_get_thread_num() == 0) {
            while (!__atomic_load_n(&asks, __ATOMIC_ACQUIRE))
                usleep(1000);
            // Nothing but the call is left to the other thread, on a machine under load too.
            usleep(1000000);
            locked++;
            omp_unset_lock(&lock); //@FREE
        } else {
            __atomic_store_n(&asks, 1, __ATOMIC_RELEASE);
            omp_set_lock(&lock); //@WANT
            locked++;
            omp_unset_lock(&lock); //@DONE
        }
#pragma omp atomic
        both++;
    }
    omp_destroy_lock(&lock);
    return locked == 2 && both == 2 ? 0 : 1;
}
