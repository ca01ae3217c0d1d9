// schedule(runtime) is reported as what OMP_SCHEDULE makes of it.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_SCHEDULE=guided,4
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     work type=loop_guided endpoint=begin parallel=$p task=%t count=30 codeptr=@LOOP|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_guided endpoint=end parallel=$p task=%t count=0|30 codeptr=@LOOP|@PAR
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     work type=loop_guided endpoint=begin parallel=$p task=%t count=30 codeptr=@LOOP|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_guided endpoint=end parallel=$p task=%t count=0|30 codeptr=@LOOP|@PAR
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
int main(void)
{
    int times[30] = {0};
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(runtime) //@LOOP
        for (int i = 0; i < 30; i++) //@LOOP
            times[i]++; //@LOOP
#pragma omp atomic
        times[29]++;
    }
    return times[0] == 1 && times[29] == 3 ? 0 : 1;
}
