// Calls at the end of a function, which optimised code makes by a jump: the end of a construct has
// the address of its begin, another call that of the region whose code it ends.
//#Opt:-O2
//#ReferenceFails:libomp has an address of its own there, or none
//#NoStderr
//#Trace
//| def lone p t at {
//|     parallel_begin parallel={p} encountering_task=$root exit_frame=none enter_frame=* requested=1 flags=invoker_runtime,team codeptr={at}
//|     task! {p} {t} 1 0
//| }
//| def over p t at {
//|     region_barrier! {p} {t} {at}
//|     implicit_task endpoint=end parallel=null task={t} parallelism=0 index=0 flags=implicit
//|     parallel_end parallel={p} encountering_task=$root flags=invoker_runtime,team codeptr={at}
//| }
//| def critical at out {
//|     mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr={at}
//|     mutex_acquired kind=critical wait_id=$w codeptr={at}
//|     mutex_released kind=critical wait_id=$w codeptr={out}
//| }
//| def inner p t by flags at {
//|     parallel_begin parallel={p} encountering_task={by} exit_frame=set:runtime,framepointer enter_frame=* requested=1 flags={flags},team codeptr={at}
//|     task! {p} {t} 1 0
//|     gcc: critical! $inside $inside
//|     clang: critical! $inside *
//|     region_barrier! {p} {t} {at}
//|     implicit_task endpoint=end parallel=null task={t} parallelism=0 index=0 flags=implicit
//|     parallel_end parallel={p} encountering_task={by} flags={flags},team codeptr={at}
//| }
//| def taskwait_at p t at {
//|     sync_region kind=taskwait endpoint=begin parallel={p} task={t} codeptr={at}
//|     sync_region_wait kind=taskwait endpoint=begin parallel={p} task={t} codeptr={at}
//|     sync_region_wait kind=taskwait endpoint=end parallel={p} task={t} codeptr={at}
//|     sync_region kind=taskwait endpoint=end parallel={p} task={t} codeptr={at}
//| }
//| primary {
//|     start!
//|     parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=* requested=2 flags=invoker_runtime,team codeptr=$call
//|     task! $p %t 2 0
//|     critical! $critical *
//|     # The worker's call, too, belongs to the region.
//|     sync_region kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$call
//|     sync_region_wait kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$call
//|     sync_region_wait kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$call
//|     sync_region kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$call
//|     over! $p %t $call
//|
//|     lone! $q %q $taskwait
//|     taskwait_at! $q %q $taskwait
//|     over! $q %q $taskwait
//|
//|     lone! $r %r $outer
//|     # gcc's code jumps to the call of the inner region, clang's code to the call that ends it.
//|     gcc: inner! $s %s %r invoker_runtime $outer
//|     clang: inner! $s %s %r invoker_program $begin
//|     over! $r %r $outer
//|
//|     lone! $u %u $group
//|     sync_region kind=taskgroup endpoint=begin parallel=$u task=%u codeptr=$taskgroup
//|     critical! $in_group *
//|     sync_region_wait kind=taskgroup endpoint=begin parallel=$u task=%u codeptr=$taskgroup
//|     sync_region_wait kind=taskgroup endpoint=end parallel=$u task=%u codeptr=$taskgroup
//|     sync_region kind=taskgroup endpoint=end parallel=$u task=%u codeptr=$taskgroup
//|     over! $u %u $group
//|
//|     lone! $v %v $tasks
//|     task_create task=%x encountering_task=%v exit_frame=set:runtime,framepointer enter_frame=* flags=explicit,undeferred has_dependences=0 codeptr=*
//|     task_schedule prior=%v status=switch next=%x
//|     gcc: critical! $in_task $in_task
//|     clang: critical! $in_task *
//|     task_schedule prior=%x status=complete next=%v
//|     over! $v %v $tasks
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     critical! $critical *
//|     sync_region kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$call
//|     sync_region_wait kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$call
//|     sync_region_wait kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$call
//|     sync_region kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$call
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
static volatile int sum, no;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum++;
#pragma omp barrier
    }
#pragma omp parallel num_threads(1)
    {
        sum++;
#pragma omp taskwait
    }
#pragma omp parallel num_threads(1)
    {
        sum++;
#pragma omp parallel if (no)
        {
#pragma omp critical
            sum++;
        }
    }
#pragma omp parallel num_threads(1)
    {
#pragma omp taskgroup
        {
#pragma omp critical
            sum++;
        }
    }
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        {
#pragma omp critical
            sum++;
        }
    }
    return sum == 7 ? 0 : 1;
}
