// What the entry points say inside the callbacks, and from the program by control_tool.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp's enter_frame is a frame of its own
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     + parallel_info level=0 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=none
//|     fork! $p $root none 2 PAR
//|     + task_info level=0 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     task! $p %t 2 0
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + parallel_info level=1 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=%t flags=implicit parallel=$p thread_num=0 enter_frame=none
//|     + task_info level=1 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + parallel_info level=1 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=%t flags=implicit parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     + parallel_info level=0 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=$root flags=initial thread_num=0 exit_frame=none
//|     control_tool command=64 modifier=7 arg=* codeptr=@AFTER
//|     + task_info level=0 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + task_info level=0 result=2 task=%t flags=implicit parallel=$p thread_num=1 enter_frame=none
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE
//|     + parallel_info level=1 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=%t flags=implicit parallel=$p thread_num=1 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
#include "probe.h"

int main(void)
{
    int answers = 0;
#pragma omp parallel //@PAR
    {
        int answer = PROBE(0); //@PROBE
#pragma omp atomic
        answers += answer;
    }
    answers += PROBE(7); //@AFTER
    return answers;
}
