// Dependences of tasks, which of them are observed, and taskwait with a depend clause.
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
//|     create! %second %t explicit 1 SECOND
//|     dependences task=%second count=2
//|     clang: + dependence type=in variable=%a
//|     + dependence type=inout variable=%b
//|     gcc: + dependence type=in variable=%a
//|     task_dependence source=%first sink=%second
//|     create! %third %t explicit 1 THIRD
//|     dependences task=%third count=1
//|     + dependence type=mutexinoutset variable=%b
//|     task_dependence source=%second sink=%third
//|
//|     # taskwait depend is a task that waits.
//|     create! %wait %t taskwait,undeferred,mergeable 1 DEPWAIT
//|     dependences task=%wait count=1
//|     + dependence type=in variable=%a
//|     task_dependence source=%first sink=%wait
//|     run! %t %first
//|     task_schedule prior=%wait status=taskwait_complete next=null
//|
//|     taskwait! $p %t WAIT
//|     run! %t %second
//|     run! %t %third
//|     waited! taskwait $p %t WAIT
//|
//|     # To clang's code an undeferred task with dependences is a taskwait and a task.
//|     gcc: create! %undeferred %t explicit,undeferred 1 IF
//|     clang: create! %before %t taskwait,undeferred,mergeable 1 IF
//|     gcc: dependences task=%undeferred count=1
//|     clang: dependences task=%before count=1
//|     + dependence type=in variable=%a
//|     clang: task_schedule prior=%before status=taskwait_complete next=null
//|     clang: create! %undeferred %t explicit,undeferred 0 IF
//|     run! %t %undeferred
//|
//|     create! %last %t taskwait,undeferred,mergeable 1 LAST
//|     dependences task=%last count=1
//|     + dependence type=inout variable=%b
//|     task_schedule prior=%last status=taskwait_complete next=null
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, a, b;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) { //@FIRST SECOND THIRD DEPWAIT
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp task depend(out : a) //@FIRST
            a = 1;
#pragma omp task depend(in : a) depend(inout : b) //@SECOND
            b = a;
#pragma omp task depend(mutexinoutset : b) //@THIRD
            b++;
#pragma omp taskwait depend(in : a) //@DEPWAIT
#pragma omp taskwait //@WAIT IF LAST
            // All that it waits for is over.
#pragma omp task depend(in : a) if (0) //@IF
            b++; //@IFBODY
#pragma omp taskwait depend(inout : b) //@LAST
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return b == 3 ? 0 : 1;
}
