// A thread that gets no iteration or section executes the construct all the same.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls GCC's barriers barrier_implementation, and guesses at clang's sections
//#NoStderr
//#Trace
//| # What a thread executes of a construct whose one iteration may be its own.
//| def construct type kind instance t count at {
//|     work type={type} endpoint=begin parallel=$p task={t} count={count} codeptr=@{at}|@PAR
//|     maybe {
//|         dispatch kind={kind} parallel=$p task={t} instance={instance}
//|     }
//|     work type={type} endpoint=end parallel=$p task={t} count=0|{count} codeptr=@{at}|@PAR
//| }
//| def constructs t {
//|     construct! loop_dynamic ws_loop_chunk 0+1 {t} 1 DYNAMIC
//|     barrier! barrier_implicit_workshare $p {t} DYNAMIC
//|     construct! sections section * {t} 1 SECTIONS
//|     barrier! barrier_implicit_workshare $p {t} SECTIONS
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=1 codeptr=@STATIC
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+1
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0 codeptr=@STATIC
//|     }
//|     end_barrier! $p %t STATIC
//|     constructs! %t
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=1 codeptr=@STATIC
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0 codeptr=@STATIC
//|     }
//|     end_barrier! $p %t STATIC
//|     constructs! %t
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p STATIC
//| meet! $p DYNAMIC
//| total 1 dispatch kind=section parallel=$p task=* instance=*
//| gcc: total 1 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+1
//| clang: total 2 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+1
int main(void)
{
    int times = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(static) //@STATIC
        for (int i = 0; i < 1; i++) //@STATIC
            times++; //@STATIC DYNAMIC
#pragma omp for schedule(dynamic) //@DYNAMIC STATIC
        for (int i = 0; i < 1; i++) //@DYNAMIC STATIC
            times++; //@DYNAMIC SECTIONS
#pragma omp sections //@SECTIONS DYNAMIC
        { //@SECTIONS DYNAMIC
            times++; //@SECTIONS DYNAMIC
        } //@SECTIONS DYNAMIC
#pragma omp atomic //@SECTIONS DYNAMIC
        times++;
    }
    return times == 5 ? 0 : 1;
}
