// The threads that a region requests, and the fewer that it gets.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_THREAD_LIMIT=2
//#Opt:-O0
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 7 PAR
//|     task! $p %t 2 0
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
int main(void)
{
    int members = 0;
#pragma omp parallel num_threads(7) //@PAR
    {
#pragma omp atomic
        members++;
    }
    return members == 2 ? 0 : 1;
}
