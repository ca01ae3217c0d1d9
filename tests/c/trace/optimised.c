// Optimised code: one construct has one address, and the frames are found as well.
//#Opt:-O2
//#ReferenceFails:libomp calls GCC's barriers barrier_implementation, and keeps no address for releases
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=set:application,framepointer requested=3 flags=invoker_runtime,team codeptr=$region
//|     task! $p %t 3 0
//|     repeat 3 {
//|         sync_region kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$barrier
//|         sync_region_wait kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$barrier
//|         sync_region_wait kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$barrier
//|         sync_region kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$barrier
//|         mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=$critical
//|         mutex_acquired kind=critical wait_id=$w codeptr=$critical
//|         mutex_released kind=critical wait_id=$w codeptr=$leave
//|     }
//|     region_barrier! $p %t $region
//|     implicit_task endpoint=end parallel=null task=%t parallelism=0 index=0 flags=implicit
//|     parallel_end parallel=$p encountering_task=$root flags=invoker_runtime,team codeptr=$region
//|     finish!
//| }
//| worker 2 {
//|     thread_begin type=worker
//|     task! $p %t 3 %i
//|     repeat 3 {
//|         sync_region kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$barrier
//|         sync_region_wait kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=$barrier
//|         sync_region_wait kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$barrier
//|         sync_region kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=$barrier
//|         mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=$critical
//|         mutex_acquired kind=critical wait_id=$w codeptr=$critical
//|         mutex_released kind=critical wait_id=$w codeptr=$leave
//|     }
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
int main(void)
{
    volatile int sum = 0;
#pragma omp parallel num_threads(3)
    {
#pragma GCC unroll 1
        for (int i = 0; i < 3; i++) {
#pragma omp barrier
#pragma omp critical
            sum = sum + 1;
        }
    }
    return sum == 9 ? 0 : 1;
}
