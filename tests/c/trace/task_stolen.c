// Tasks that another thread runs: what the entry points tell there, of the task, of its child, and of
// the implicit task below it, which waits in a barrier within its code, then in the one at its end.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p $t 2 0
//|     create! $stolen $t explicit 0 STOLEN
//|     barrier! barrier_explicit $p $t MEET
//|     create! $last $t explicit 0 LAST
//|     task_over! $p $t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %w 2 1
//|     sync_region kind=barrier_explicit endpoint=begin parallel=$p task=%w codeptr=@MEET as arrive:MEET:$p
//|     sync_region_wait kind=barrier_explicit endpoint=begin parallel=$p task=%w codeptr=@MEET
//|     task_schedule prior=%w status=switch next=$stolen
//|     control_tool command=64 modifier=1 arg=null codeptr=@ONE state=work_parallel
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + parallel_info level=1 result=2 parallel=* size=1
//|     + task_info level=0 result=2 task=$stolen flags=explicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 result=2 task=%w flags=implicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=2 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     create! %child $stolen explicit 0 CHILD
//|     taskwait! $p $stolen WAIT
//|     task_schedule prior=$stolen status=switch next=%child
//|     control_tool command=64 modifier=2 arg=null codeptr=@TWO state=work_parallel
//|     + task_info level=0 result=2 task=%child flags=explicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 result=2 task=$stolen flags=explicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=2 result=2 task=%w flags=implicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=3 result=2 task=$root flags=initial
//|     task_schedule prior=%child status=complete next=$stolen
//|     waited! taskwait $p $stolen WAIT
//|     task_schedule prior=$stolen status=complete next=%w
//|     sync_region_wait kind=barrier_explicit endpoint=end parallel=$p task=%w codeptr=@MEET as released:MEET:$p
//|     sync_region kind=barrier_explicit endpoint=end parallel=$p task=%w codeptr=@MEET
//|
//|     # The implicit task's code is over: it has no frame.
//|     sync_region kind=barrier_implicit_parallel endpoint=begin parallel=$p task=%w codeptr=null as arrive:$p
//|     sync_region_wait kind=barrier_implicit_parallel endpoint=begin parallel=$p task=%w codeptr=null
//|     task_schedule prior=%w status=switch next=$last state=wait_barrier_implicit_parallel
//|     control_tool command=64 modifier=3 arg=null codeptr=@THREE state=work_parallel
//|     + task_info level=0 result=2 task=$last flags=explicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 result=2 task=%w flags=implicit parallel=$p thread_num=1 exit_frame=none enter_frame=none
//|     + task_info level=2 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     task_schedule prior=$last status=complete next=%w
//|     sync_region_wait kind=barrier_implicit_parallel endpoint=end parallel=null task=%w codeptr=null as released:$p
//|     sync_region kind=barrier_implicit_parallel endpoint=end parallel=null task=%w codeptr=null
//|     implicit_task endpoint=end parallel=null task=%w parallelism=0 index=1 flags=implicit as over:$p worker_over:$p
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p MEET
#include "probe.h"

static int made, ran;

// Only the other thread has nothing else to do.
static void await(int wanted)
{
    while (__atomic_load_n(&ran, __ATOMIC_ACQUIRE) != wanted) {
    }
}

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() == 0) {
            made++; //@STOLEN
#pragma omp task //@STOLEN
            {
                PROBE(1); //@ONE CHILD
#pragma omp task //@CHILD
                PROBE(2); //@TWO
#pragma omp taskwait //@WAIT
                __atomic_store_n(&ran, 1, __ATOMIC_RELEASE);
            }
            await(1); //@MEET
        }
#pragma omp barrier //@MEET
        if (omp_get_thread_num() == 0) {
            made++; //@LAST
#pragma omp task //@LAST
            {
                PROBE(3); //@THREE
                __atomic_store_n(&ran, 2, __ATOMIC_RELEASE);
            }
            await(2);
        }
    }
    return made == 2 ? 0 : 1;
}
