// Tasks of two threads: each is created once, by whom it says, is begun once and completed once, on
// whatever thread; the barrier waits for all.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Repeat:3
//#Trace
//| def body p t i at {
//|     repeat 10 {
//|         create! %new# {t} explicit 0 TASK
//|     }
//|     sync_region kind=barrier_implicit_parallel endpoint=begin parallel={p} task={t} codeptr={at} as arrive:{p}
//|     sync_region_wait kind=barrier_implicit_parallel endpoint=begin parallel={p} task={t} codeptr={at}
//|     many {
//|         task_schedule prior={t} status=switch next=* as run
//|         task_schedule prior=* status=complete next={t} as ran
//|     }
//|     sync_region_wait kind=barrier_implicit_parallel endpoint=end parallel=null task={t} codeptr={at} as released:{p}
//|     sync_region kind=barrier_implicit_parallel endpoint=end parallel=null task={t} codeptr={at}
//|     implicit_task endpoint=end parallel=null task={t} parallelism=0 index={i} flags=implicit as over:{p}
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     body! $p %t 0 @PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     body! $p %t %i null
//|     thread_end thread_data=ok
//| }
//| team! $p
//| order ran < released:$p
//| total 20 task_create task=* flags=explicit ..
//| total 20 task_schedule prior=* status=switch next=*
//| total 20 task_schedule prior=* status=complete next=*
#include <omp.h>

static int ran;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    for (int i = 0; i < 10; i++) { //@TASK
#pragma omp task //@TASK
        {
#pragma omp atomic
            ran++;
        }
    }
    return ran == 20 ? 0 : 1;
}
