// taskyield: the task that yields and the one that runs in its place, in tasks of tasks. A
// taskyield ends a part of clang's untied tasks, whose next part is a switch of its own.
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
//|     create! %other %t explicit 0 OTHER
//|     # The youngest first; its sibling is no task to run in the middle of it.
//|     task_schedule prior=%t status=yield next=%other
//|     task_schedule prior=%other status=complete next=%t
//|     task_schedule prior=%t status=yield next=%outer
//|     create! %child %outer explicit 0 CHILD
//|     task_schedule prior=%outer status=yield next=%child
//|     task_schedule prior=%child status=complete next=%outer
//|     task_schedule prior=%outer status=complete next=%t
//|
//|     create! %untied %t explicit,untied 0 UNTIED
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=%untied
//|     control_tool command=64 modifier=1 arg=null codeptr=@ONE
//|     + task_info level=0 result=2 task=%untied flags=explicit,untied parallel=$p thread_num=0 exit_frame=set:runtime,framepointer
//|     clang: task_schedule prior=%untied status=switch next=%t
//|     clang: task_schedule prior=%t status=switch next=%untied
//|     control_tool command=64 modifier=2 arg=null codeptr=@TWO
//|     + task_info level=0 result=2 task=%untied flags=explicit,untied parallel=$p thread_num=0 exit_frame=set:runtime,framepointer
//|     task_schedule prior=%untied status=complete next=%t
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

static int over, ran;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
            ran++; //@OUTER
#pragma omp task //@OUTER
            {
                ran++; //@CHILD
#pragma omp task //@CHILD
                ran++;
#pragma omp taskyield
                ran++;
            }
            ran++; //@OTHER
#pragma omp task //@OTHER
            {
#pragma omp taskyield
                ran++;
            }
#pragma omp taskyield
#pragma omp taskyield
            ran++; //@UNTIED
#pragma omp task untied //@UNTIED
            {
                PROBE(1); //@ONE
#pragma omp taskyield
                PROBE(2); //@TWO
            }
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 7 ? 0 : 1;
}
