// Optimised code: each construct of tasks has one address in the code that encounters it, a call at
// the end of a function too, and the frames are found.
//#Opt:-O2
//#Env:OMP_NUM_THREADS=2
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| def made t new deps create {
//|     task_create task={new} encountering_task={t} exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer flags=explicit has_dependences={deps} codeptr={create}
//| }
//| def region kind t at {
//|     sync_region kind={kind} endpoint=begin parallel=$p task={t} codeptr={at}
//|     sync_region_wait kind={kind} endpoint=begin parallel=$p task={t} codeptr={at}
//| }
//| def left kind t at {
//|     sync_region_wait kind={kind} endpoint=end parallel=$p task={t} codeptr={at}
//|     sync_region kind={kind} endpoint=end parallel=$p task={t} codeptr={at}
//| }
//| primary {
//|     start!
//|     parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=set:application,framepointer requested=2 flags=invoker_runtime,team codeptr=$construct as begin:$p
//|     task! $p %t 2 0
//|     repeat 3 {
//|         made! %t %task# 0 $create
//|         region! taskwait %t $early
//|         run! %t %task#
//|         left! taskwait %t $early
//|         made! %t %first# 1 $createfirst
//|         dependences task=%first# count=1
//|         made! %t %second# 1 $createsecond
//|         dependences task=%second# count=1
//|         task_dependence source=%first# sink=%second#
//|         region! taskwait %t $later
//|         run! %t %first#
//|         run! %t %second#
//|         left! taskwait %t $later
//|         sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=$group
//|         made! %t %grouped# 0 $creategrouped
//|         sync_region_wait kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=$groupend
//|         run! %t %grouped#
//|         left! taskgroup %t $groupend
//|     }
//|     region_barrier! $p %t $construct
//|     implicit_task endpoint=end parallel=null task=%t parallelism=0 index=0 flags=implicit
//|     parallel_end parallel=$p encountering_task=$root flags=invoker_runtime,team codeptr=$construct
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, ran, place;

// The runtime is not called but jumped to: what it returns to is where this was called.
static __attribute__((noinline)) void wait_for_children(void)
{
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma GCC unroll 1
            for (int i = 0; i < 3; i++) {
#pragma omp task
                ran++;
                wait_for_children();
#pragma omp task depend(out : place)
                ran++;
#pragma omp task depend(in : place)
                ran++;
                wait_for_children();
#pragma omp taskgroup
                {
#pragma omp task
                    ran++;
                }
            }
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 12 ? 0 : 1;
}
