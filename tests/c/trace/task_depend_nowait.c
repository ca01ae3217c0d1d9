// taskwait with a depend clause and nowait: a task with nothing to do. Tasks wait for it, nobody else.
//#Compilers:clang
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %first %t explicit 1 FIRST
//|     dependences task=%first count=1
//|     + dependence type=inout variable=%a
//|     create! %pass %t taskwait,undeferred 1 PASS
//|     dependences task=%pass count=2
//|     + dependence type=in variable=%a
//|     + dependence type=inout variable=%b
//|     task_dependence source=%first sink=%pass
//|     create! %second %t explicit 1 SECOND
//|     dependences task=%second count=1
//|     + dependence type=in variable=%b
//|     task_dependence source=%pass sink=%second
//|     # With nothing to wait for: it is over as soon as a thread looks.
//|     create! %idle %t taskwait,undeferred 1 IDLE
//|     dependences task=%idle count=1
//|     + dependence type=in variable=%c
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%idle status=taskwait_complete next=null
//|     run! %t %first
//|     task_schedule prior=%pass status=taskwait_complete next=null
//|     run! %t %second
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

static int over, a, b, c, ran;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp task depend(out : a) //@FIRST
            ran++;
#pragma omp taskwait depend(in : a) depend(out : b) nowait //@PASS
#pragma omp task depend(in : b) //@SECOND
            ran++;
#pragma omp taskwait depend(in : c) nowait //@IDLE
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 2 ? 0 : 1;
}
