// A plain thread that meets OpenMP is a root: an initial thread of its own.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 MAIN
//|     task! $p %t 2 0
//|     task_over! $p %t 0 MAIN
//|     join! $p $root MAIN
//|     finish!
//| }
//| root 1 {
//|     thread_begin type=initial
//|     implicit_task endpoint=begin parallel=%own task=%root parallelism=1 index=1 flags=initial
//|     fork! $q %root none 2 FOREIGN
//|     task! $q %t 2 0
//|     task_over! $q %t 0 FOREIGN
//|     join! $q %root FOREIGN
//|     implicit_task endpoint=end parallel=null task=%root parallelism=0 index=1 flags=initial
//|     thread_end thread_data=ok
//| }
//| worker 1-2 {
//|     thread_begin type=worker
//|     maybe {
//|         task! $p %t 2 1
//|         worker_task_over! $p %t 1
//|     }
//|     maybe {
//|         task! $q %u 2 1
//|         worker_task_over! $q %u 1
//|     }
//|     thread_end thread_data=ok
//| }
//| team! $p
//| team! $q
//| order end:$p < begin:$q
#include <pthread.h>
#include <stddef.h>

static void *foreign(void *argument)
{
    int sum = 0;
#pragma omp parallel //@FOREIGN
    {
#pragma omp atomic
        sum++;
    }
    *(int *)argument += sum;
    return NULL;
}

int main(void)
{
    int sum = 0;
#pragma omp parallel //@MAIN
    {
#pragma omp atomic
        sum++;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, &sum);
    pthread_join(thread, NULL);
    return sum == 4 ? 0 : 1;
}
