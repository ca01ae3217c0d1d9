// Every construct of a team of one has the events that it has in other teams.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#ReferenceFails:libomp tells the frames of serialized regions otherwise
//#NoStderr
//#Trace
//| def sections t {
//|     work type=sections endpoint=begin parallel=$p task={t} count=2 codeptr=@SECTIONS|@CHUNKS
//|     dispatch kind=section parallel=$p task={t} instance=*
//|     dispatch kind=section parallel=$p task={t} instance=*
//|     work type=sections endpoint=end parallel=$p task={t} count=0|2 codeptr=@SECTIONS|@CHUNKS
//| }
//| def turn at leave {
//|     mutex_acquire kind=ordered hint=0 impl=* wait_id=$turn codeptr=@{at}|@LOOP
//|     mutex_acquired kind=ordered wait_id=$turn codeptr=@{at}|@LOOP
//|     mutex_released kind=ordered wait_id=$turn codeptr=@{at}|@{leave}
//| }
//| primary {
//|     start!
//|     fork! $p $root none 1 PAR
//|     task! $p %t 1 0
//|     when clang {
//|         # The chunks of the only thread are one.
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=10 codeptr=@CHUNKS
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+10
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0 codeptr=@CHUNKS
//|     }
//|     end_barrier! $p %t CHUNKS
//|     sections! %t
//|     barrier! barrier_implicit_workshare $p %t SECTIONS
//|     work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE|@SECTIONS
//|     work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE|@SECTIONS
//|     end_barrier! $p %t SINGLE
//|     when clang {
//|         masked endpoint=begin parallel=$p task=%t codeptr=@MASKED
//|         masked endpoint=end parallel=$p task=%t codeptr=@MASKED
//|     }
//|     mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=@CRITICAL
//|     mutex_acquired kind=critical wait_id=$w codeptr=@CRITICAL
//|     mutex_released kind=critical wait_id=$w codeptr=@CRITICAL
//|     barrier! barrier_explicit $p %t BARRIER
//|     work type=loop_static endpoint=begin parallel=$p task=%t count=2 codeptr=@LOOP|@BARRIER
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+2
//|     turn! ORDERED LEAVE
//|     turn! ORDERED LEAVE
//|     work type=loop_static endpoint=end parallel=$p task=%t count=2 codeptr=@LOOP|@LEAVE
//|     # gcc leaves out the barrier that the end of the region follows.
//|     clang: barrier! barrier_implicit_workshare $p %t LOOP
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
int main(void)
{
    int times = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(static, 3) //@CHUNKS
        for (int i = 0; i < 10; i++) //@CHUNKS
            times++; //@CHUNKS SECTIONS SINGLE
#pragma omp sections //@SECTIONS
        { //@SECTIONS
#pragma omp section //@SECTIONS
            times++; //@SECTIONS SINGLE
#pragma omp section //@SECTIONS
            times++; //@SECTIONS SINGLE
        } //@SECTIONS SINGLE
#pragma omp single //@SINGLE SECTIONS
        times++; //@SINGLE SECTIONS
#pragma omp masked //@MASKED SINGLE
        times++; //@MASKED SINGLE
#pragma omp critical //@CRITICAL
        times++; //@CRITICAL
#pragma omp barrier //@BARRIER CRITICAL LOOP
#pragma omp for schedule(static) ordered //@LOOP
        for (int i = 0; i < 2; i++) { //@LOOP
#pragma omp ordered //@ORDERED LOOP
            times++; //@LEAVE LOOP
        }
    } //@LOOP
    return times == 17 ? 0 : 1;
}
