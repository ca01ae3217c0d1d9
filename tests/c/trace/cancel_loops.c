// Loops and sections that are cancelled, by the only thread of a team: the events of the construct
// end, and its barrier follows.
//#Env:OMP_NUM_THREADS=1
//#Env:OMP_CANCELLATION=true
//#Opt:-O0
//#ReferenceFails:libomp tells the frames of serialized regions otherwise
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 1 PAR
//|     task! $p %t 1 0
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=4 codeptr=@STATIC
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+4
//|     }
//|     cancel task=%t flags=loop,activated codeptr=@CANCEL_STATIC
//|     clang: work type=loop_static endpoint=end parallel=$p task=%t count=0 codeptr=@STATIC
//|     end_barrier! $p %t STATIC
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=4 codeptr=@DYNAMIC|@STATIC
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+4
//|     cancel task=%t flags=loop,activated codeptr=@CANCEL_DYNAMIC
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=4 codeptr=@CANCEL_DYNAMIC|@DYNAMIC
//|     barrier! barrier_implicit_workshare $p %t DYNAMIC
//|     work type=sections endpoint=begin parallel=$p task=%t count=1 codeptr=@SECTIONS|@DYNAMIC
//|     dispatch kind=section parallel=$p task=%t instance=*
//|     cancel task=%t flags=sections,activated codeptr=@CANCEL_SECTIONS
//|     work type=sections endpoint=end parallel=$p task=%t count=0|1 codeptr=@CANCEL_SECTIONS|@SECTIONS
//|     # gcc leaves out the barrier that the end of the region follows.
//|     clang: barrier! barrier_implicit_workshare $p %t SECTIONS
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
int main(void)
{
    int times = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(static) //@STATIC
        for (int i = 0; i < 4; i++) { //@STATIC
            times++; //@STATIC
#pragma omp cancel for //@CANCEL_STATIC STATIC
        } //@STATIC
#pragma omp for schedule(dynamic) //@DYNAMIC
        for (int i = 0; i < 4; i++) { //@DYNAMIC
            times++; //@DYNAMIC
#pragma omp cancel for //@CANCEL_DYNAMIC DYNAMIC
        } //@DYNAMIC
#pragma omp sections //@SECTIONS
        { //@SECTIONS
#pragma omp section //@SECTIONS
            { //@SECTIONS
                times++; //@SECTIONS CANCEL_SECTIONS
#pragma omp cancel sections //@CANCEL_SECTIONS SECTIONS
            } //@SECTIONS
        } //@SECTIONS
    } //@SECTIONS
    return times == 3 ? 0 : 1;
}
