// Ordered blocks are one mutex, had in the order of the iterations.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     work type=loop_static endpoint=begin parallel=$p task=%t count=4 codeptr=@LOOP|@PAR
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+1
//|     mutex_acquire kind=ordered hint=0 impl=* wait_id=$o codeptr=@ORDERED|@PAR
//|     mutex_acquired kind=ordered wait_id=$o codeptr=@ORDERED|@PAR as have0
//|     mutex_released kind=ordered wait_id=$o codeptr=@ORDERED
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=2+1
//|     mutex_acquire kind=ordered hint=0 impl=* wait_id=$o codeptr=@ORDERED|@PAR
//|     mutex_acquired kind=ordered wait_id=$o codeptr=@ORDERED|@PAR as have2
//|     mutex_released kind=ordered wait_id=$o codeptr=@ORDERED
//|     work type=loop_static endpoint=end parallel=$p task=%t count=0|4 codeptr=@LOOP
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     work type=loop_static endpoint=begin parallel=$p task=%t count=4 codeptr=@LOOP|@PAR
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=1+1
//|     mutex_acquire kind=ordered hint=0 impl=* wait_id=$o codeptr=@ORDERED|@PAR
//|     mutex_acquired kind=ordered wait_id=$o codeptr=@ORDERED|@PAR as have1
//|     mutex_released kind=ordered wait_id=$o codeptr=@ORDERED
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=3+1
//|     mutex_acquire kind=ordered hint=0 impl=* wait_id=$o codeptr=@ORDERED|@PAR
//|     mutex_acquired kind=ordered wait_id=$o codeptr=@ORDERED|@PAR as have3
//|     mutex_released kind=ordered wait_id=$o codeptr=@ORDERED
//|     work type=loop_static endpoint=end parallel=$p task=%t count=0|4 codeptr=@LOOP
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
//| order have0 < have1
//| order have1 < have2
//| order have2 < have3
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for ordered schedule(static, 1) //@LOOP
        for (int i = 0; i < 4; i++) { //@LOOP ORDERED
#pragma omp ordered //@ORDERED LOOP
            sum++; //@ORDERED LOOP
        } //@LOOP
#pragma omp atomic
        sum++;
    }
    return sum == 6 ? 0 : 1;
}
