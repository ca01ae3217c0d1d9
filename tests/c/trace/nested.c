// Each thread of the outer team is the primary one of an inner team.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 OUTER
//|     task! $p %t 2 0
//|     fork! $a %t set:runtime,framepointer 2 INNER
//|     task! $a %u 2 0
//|     task_over! $a %u 0 INNER
//|     join! $a %t INNER
//|     task_over! $p %t 0 OUTER
//|     join! $p $root OUTER
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     fork! $b %t set:runtime,framepointer 2 INNER
//|     task! $b %u 2 0
//|     task_over! $b %u 0 INNER
//|     join! $b %t INNER
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $a %t 2 1
//|     worker_task_over! $a %t 1
//|     thread_end thread_data=ok
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $b %t 2 1
//|     worker_task_over! $b %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| team! $a
//| team! $b
//| order task:$p < arrive:$p
//| order begin:$p < begin:$a
//| order begin:$p < begin:$b
//| order end:$a < end:$p
//| order end:$b < end:$p
#include <unistd.h>

int main(void)
{
    int sum = 0, met = 0;
#pragma omp parallel //@OUTER
    {
#pragma omp parallel num_threads(2) //@INNER
        {
            // Both inner teams exist at once, so that no thread can serve in both.
            int here;
#pragma omp atomic
            met++;
            do {
                usleep(1000);
#pragma omp atomic read
                here = met;
            } while (here < 4);
#pragma omp atomic
            sum++;
        }
#pragma omp atomic
        sum += 10;
    }
    return sum == 24 ? 0 : 1;
}
