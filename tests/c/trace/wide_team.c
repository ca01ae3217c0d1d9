// Sixteen threads: every number once, whatever tree the runtime releases them by.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 16 PAR
//|     task! $p %t 16 0
//|     barrier! barrier_explicit $p %t MEET
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 15 {
//|     thread_begin type=worker
//|     task! $p %t 16 %i
//|     barrier! barrier_explicit $p %t MEET
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p MEET
//| total 16 implicit_task endpoint=begin parallel=$p flags=implicit ..
int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(16) //@PAR
    {
#pragma omp barrier //@MEET
#pragma omp atomic
        sum++;
    }
    return sum == 16 ? 0 : 1;
}
