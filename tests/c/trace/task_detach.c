// The orders of a task's end and its event.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#Flags:-Wno-uninitialized
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %early %t explicit 0 EARLY
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=%early
//|     task_schedule prior=%early status=early_fulfill next=null
//|     task_schedule prior=%early status=complete next=%t
//|     waited! taskwait $p %t WAIT
//|
//|     create! %late %t explicit 0 LATE
//|     task_schedule prior=%t status=yield next=%late
//|     task_schedule prior=%late status=detach next=%t
//|     task_schedule prior=%late status=late_fulfill next=null
//|     taskwait! $p %t WAIT
//|     waited! taskwait $p %t WAIT
//|
//|     create! %first %t explicit 0 FIRST
//|     task_schedule prior=%first status=early_fulfill next=null
//|     taskwait! $p %t WAIT
//|     run! %t %first
//|     waited! taskwait $p %t WAIT
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, ran;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
            omp_event_handle_t event;
#pragma omp task detach(event) //@EARLY
            {
                ran++;
                omp_fulfill_event(event);
            }
#pragma omp taskwait //@WAIT
#pragma omp task detach(event) //@LATE
            ran++;
#pragma omp taskyield
            omp_fulfill_event(event);
#pragma omp taskwait //@WAIT
#pragma omp task detach(event) //@FIRST
            ran++;
            omp_fulfill_event(event);
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 3 ? 0 : 1;
}
