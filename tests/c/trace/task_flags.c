// Clauses together: the flags of a task are those that apply to it, its own and what it inherits.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %a %t explicit,undeferred,untied 0 A
//|     run! %t %a
//|     # clang does not hand mergeable down.
//|     gcc: create! %b %t explicit,undeferred,mergeable 0 B
//|     clang: create! %b %t explicit,undeferred 0 B
//|     run! %t %b
//|     create! %c %t explicit 0 C
//|     taskwait! $p %t WAIT
//|     run! %t %c
//|     waited! taskwait $p %t WAIT
//|     create! %d %t explicit,undeferred,final 0 D
//|     task_schedule prior=%t status=switch next=%d
//|     gcc: create! %e %d explicit,undeferred,untied,final,mergeable 1 E
//|     # To clang's code the body of an undeferred task is the function around it.
//|     clang: task_create task=%e encountering_task=%d exit_frame=set:application,framepointer enter_frame=set:application,framepointer flags=explicit,undeferred,untied,final has_dependences=1 codeptr=@E
//|     dependences task=%e count=1
//|     + dependence type=in variable=*
//|     task_schedule prior=%d status=switch next=%e
//|     create! %f %e explicit,undeferred,final 0 F
//|     run! %e %f
//|     task_schedule prior=%e status=complete next=%d
//|     task_schedule prior=%d status=complete next=%t
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|
//|     fork! $q $root none 1 ALONE
//|     task! $q %u 1 0
//|     gcc: create! %g %u explicit,undeferred,untied,mergeable 0 G
//|     clang: create! %g %u explicit,undeferred,untied 0 G
//|     run! %u %g
//|     create! %h %u explicit,undeferred,final 1 H
//|     dependences task=%h count=1
//|     + dependence type=inout variable=*
//|     run! %u %h
//|     task_over! $q %u 0 ALONE
//|     join! $q $root ALONE
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, ran, yes = 1, no;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
            ran++; //@A
#pragma omp task untied if (no) //@A
            ran++;
            ran++; //@B
#pragma omp task mergeable if (no) //@B
            ran++;
            ran++; //@C
#pragma omp task final(no) if (yes) //@C
            ran++;
#pragma omp taskwait //@WAIT
            ran++; //@D
#pragma omp task final(yes) if (no) //@D
            {
                ran++; //@E
#pragma omp task untied mergeable depend(in : no) //@E
                {
                    ran++; //@F
#pragma omp task //@F
                    ran++;
                }
            }
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    ran++; //@ALONE
#pragma omp parallel num_threads(1) //@ALONE
    {
        ran++; //@G
#pragma omp task untied mergeable //@G
        ran++;
        ran++; //@H
#pragma omp task final(yes) depend(out : ran) //@H
        ran++;
    }
    return ran == 15 ? 0 : 1;
}
