// master: GCC compiles it inline, clang reports it on the primary thread.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     clang: masked endpoint=begin parallel=$p task=%t codeptr=@MASTER
//|     clang: masked endpoint=end parallel=$p task=%t codeptr=@MASTER|@END
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
int main(void)
{
    int sum = 0, of_master = 0;
#pragma omp parallel //@PAR
    {
#pragma omp atomic
        sum++;
#pragma omp master //@MASTER
        of_master++; //@END
#pragma omp atomic
        sum += 10;
    }
    return sum == 22 && of_master == 1 ? 0 : 1;
}
