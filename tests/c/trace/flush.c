// A flush directive; GCC compiles it inline.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     clang: flush thread_data=ok codeptr=@FLUSH
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     clang: flush thread_data=ok codeptr=@FLUSH
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp atomic
        sum++;
#pragma omp flush //@FLUSH
#pragma omp atomic
        sum++;
    }
    return sum == 4 ? 0 : 1;
}
