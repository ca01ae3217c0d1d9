// Two regions of three threads, one after the other.
//#Env:OMP_NUM_THREADS=3
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 3 FIRST
//|     task! $p %t 3 0
//|     task_over! $p %t 0 FIRST
//|     join! $p $root FIRST
//|     fork! $q $root none 2 SECOND
//|     task! $q %u 2 0
//|     task_over! $q %u 0 SECOND
//|     join! $q $root SECOND
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 3 1
//|     worker_task_over! $p %t 1
//|     task! $q %u 2 1
//|     worker_task_over! $q %u 1
//|     thread_end thread_data=ok
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 3 2
//|     worker_task_over! $p %t 2
//|     thread_end thread_data=ok
//| }
//| team! $p
//| team! $q
//| then! $p $q
//| callback sync_region always
//| callback sync_region_wait always
#include <unistd.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel //@FIRST
    {
#pragma omp atomic
        sum++;
    }
    // The workers have time to report their ends, on a machine under load too.
    usleep(1000000);
#pragma omp parallel num_threads(2) //@SECOND
    {
#pragma omp atomic
        sum++;
    }
    return sum == 5 ? 0 : 1;
}
