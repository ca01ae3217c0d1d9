// An explicit barrier, twice.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     barrier! barrier_explicit $p %t ONE
//|     barrier! barrier_explicit $p %t TWO
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     barrier! barrier_explicit $p %t ONE
//|     barrier! barrier_explicit $p %t TWO
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p ONE
//| meet! $p TWO
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp atomic
        sum++;
#pragma omp barrier //@ONE
#pragma omp atomic
        sum++;
#pragma omp barrier //@TWO
#pragma omp atomic
        sum++;
    }
    return sum == 6 ? 0 : 1;
}
