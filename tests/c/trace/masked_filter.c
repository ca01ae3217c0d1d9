// masked with a filter: the thread named runs it; GCC compiles it inline.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     clang: masked endpoint=begin parallel=$p task=%t codeptr=@MASKED
//|     clang: masked endpoint=end parallel=$p task=%t codeptr=@MASKED|@END
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
#pragma omp masked filter(1) //@MASKED
        {
#pragma omp atomic
            sum++;
        } //@END
#pragma omp atomic
        sum += 10;
    }
    return sum == 23 ? 0 : 1;
}
