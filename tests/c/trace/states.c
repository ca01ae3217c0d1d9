// The state of a thread where the program is at work.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp's omp_control_tool does not start the runtime
//#NoStderr
//#Trace
//| primary {
//|     thread_begin type=initial
//|     implicit_task endpoint=begin parallel=$initial task=$root parallelism=1 index=1 flags=initial
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE state=work_serial
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     control_tool command=64 modifier=1 arg=* codeptr=@PROBE state=work_parallel
//|     sync_region kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=@MEET state=work_parallel
//|     sync_region_wait kind=barrier_explicit endpoint=begin parallel=$p task=%t codeptr=@MEET
//|     sync_region_wait kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=@MEET
//|     sync_region kind=barrier_explicit endpoint=end parallel=$p task=%t codeptr=@MEET
//|     control_tool command=64 modifier=2 arg=* codeptr=@PROBE state=work_parallel
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     control_tool command=64 modifier=3 arg=* codeptr=@PROBE state=work_serial
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     control_tool command=64 modifier=1 arg=* codeptr=@PROBE state=work_parallel
//|     barrier! barrier_explicit $p %t MEET
//|     control_tool command=64 modifier=2 arg=* codeptr=@PROBE state=work_parallel
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
#include "probe.h"

int main(void)
{
    int answer = 0;
    answer += PROBE(0); //@PROBE
#pragma omp parallel //@PAR
    {
        int inner = PROBE(1); //@PROBE
#pragma omp barrier //@MEET
        inner += PROBE(2); //@PROBE
#pragma omp atomic
        answer += inner;
    }
    answer += PROBE(3); //@PROBE
    return answer;
}
