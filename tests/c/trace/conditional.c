// A loop with memory of its team is left by its end call, not by its last request for a chunk.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| def loop n at {
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count={n} codeptr=@{at}
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     # The last value is compared with the others' in the memory.
//|     maybe {
//|         mutex_acquire kind=atomic hint=0 impl=* wait_id=$w codeptr=@{at}
//|         mutex_acquired kind=atomic wait_id=$w codeptr=@{at}
//|         mutex_released kind=atomic wait_id=$w codeptr=@{at}
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count={n} codeptr=@{at}
//|     barrier! barrier_implicit_workshare $p %t {at}
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     loop! 12 LOOP
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     loop! 12 LOOP
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
//| total 3 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+4|4+4|8+4
static int last = -1;

static void assign(void)
{
#pragma omp for schedule(dynamic, 4) lastprivate(conditional : last) //@LOOP
    for (int i = 0; i < 12; i++) //@LOOP
        if (i % 5 == 0) //@LOOP
            last = i; //@LOOP
} //@LOOP

int main(void)
{
    last = -1; //@PAR
#pragma omp parallel //@PAR
    assign();
    return last == 10 ? 0 : 1;
}
