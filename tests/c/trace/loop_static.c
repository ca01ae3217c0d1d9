// A static loop is a call in clang's code, which tells all chunks of the thread; GCC reports its
// barrier only.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#ReferenceFails[clang]:libomp reports the first chunk only
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=100 codeptr=@LOOP
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+50
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0|100 codeptr=@LOOP
//|     }
//|     end_barrier! $p %t LOOP
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=10 codeptr=@CHUNKED
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+3
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=6+3
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0|10 codeptr=@CHUNKED
//|     }
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=100 codeptr=@LOOP
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=50+50
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0|100 codeptr=@LOOP
//|     }
//|     end_barrier! $p %t LOOP
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task=%t count=10 codeptr=@CHUNKED
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=3+3
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=9+1
//|         work type=loop_static endpoint=end parallel=$p task=%t count=0|10 codeptr=@CHUNKED
//|     }
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
int main(void)
{
    int times[100] = {0};
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(static) //@LOOP
        for (int i = 0; i < 100; i++) //@LOOP
            times[i]++; //@LOOP
#pragma omp for schedule(static, 3) nowait //@CHUNKED
        for (int i = 0; i < 10; i++) //@CHUNKED
            times[i]++;
#pragma omp atomic
        times[99]++;
    }
    return times[0] == 2 && times[50] == 1 && times[99] == 3 ? 0 : 1;
}
