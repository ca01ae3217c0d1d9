// The scope construct: the code of both compilers calls the runtime for its barrier only.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     gcc: barrier! barrier_explicit $p %t SCOPE
//|     clang: barrier! barrier_implicit_workshare $p %t SCOPE
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     gcc: barrier! barrier_explicit $p %t SCOPE
//|     clang: barrier! barrier_implicit_workshare $p %t SCOPE
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p SCOPE
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp scope //@SCOPE
        { //@SCOPE
#pragma omp atomic //@SCOPE
            sum++; //@SCOPE
        } //@SCOPE
#pragma omp atomic //@SCOPE
        sum++;
    }
    return sum == 4 ? 0 : 1;
}
