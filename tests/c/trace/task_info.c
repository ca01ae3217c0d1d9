// What the entry points tell inside tasks: levels, flags, frames, thread numbers.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %outer %t explicit 0 OUTER
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=%outer
//|     control_tool command=64 modifier=1 arg=null codeptr=@ONE
//|     + task_info level=0 task=%outer flags=explicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 task=%t flags=implicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=2 task=$root flags=initial exit_frame=none enter_frame=set:application,framepointer
//|     create! %undeferred %outer explicit,undeferred 0 IF
//|     task_schedule prior=%outer status=switch next=%undeferred
//|     control_tool command=64 modifier=2 arg=null codeptr=@TWO
//|     # To clang's code the body of an undeferred task is the function around it.
//|     gcc: + task_info level=0 task=%undeferred flags=explicit,undeferred parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     clang: + task_info level=0 task=%undeferred flags=explicit,undeferred parallel=$p thread_num=0 exit_frame=set:application,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 task=%outer flags=explicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=2 task=%t flags=implicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     task_schedule prior=%undeferred status=complete next=%outer
//|     create! %final %outer explicit,untied,final 0 FINAL
//|     taskwait! $p %outer WAIT
//|     task_schedule prior=%outer status=switch next=%final
//|     control_tool command=64 modifier=3 arg=null codeptr=@THREE
//|     + task_info level=0 task=%final flags=explicit,untied,final parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 task=%outer flags=explicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=2 task=%t flags=implicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     task_schedule prior=%final status=complete next=%outer
//|     waited! taskwait $p %outer WAIT
//|     task_schedule prior=%outer status=complete next=%t
//|     waited! taskwait $p %t WAIT
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include "probe.h"

static int over;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) { //@OUTER
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp task //@OUTER
            {
                PROBE(1); //@ONE IF FINAL
#pragma omp task if (0) //@IF
                {
                    PROBE(2); //@TWO
                } //@IF
#pragma omp task untied final(1) //@FINAL
                {
                    PROBE(3); //@THREE
                }
#pragma omp taskwait //@WAIT
            }
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return 0;
}
