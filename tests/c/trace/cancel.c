// Cancellation: activated, detected at a cancellation point, a task that ends early, and one that
// is discarded.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_CANCELLATION=true
//#Opt:-O0
//#ReferenceFails:libgomp has no OMPT, libomp reports the discarded task as switched to
//#NotJittered:a worker that is stopped at the end of the cancelled region tells it after the next one has begun
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     cancel task=%t flags=parallel,activated codeptr=@HERE
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|
//|     fork! $q $root none 2 TASKS
//|     task! $q %u 2 0
//|     sync_region kind=taskgroup endpoint=begin parallel=$q task=%u codeptr=@GROUP
//|     create! %first %u explicit 0 FIRST
//|     create! %second %u explicit 0 SECOND
//|     wait! taskgroup $q %u GROUP|@GROUPEND|@SECOND
//|     task_schedule prior=%u status=switch next=%second state=wait_taskgroup
//|     cancel task=%second flags=taskgroup,activated codeptr=@STOP
//|     task_schedule prior=%second status=cancel next=%u
//|     cancel task=%first flags=taskgroup,discarded_task codeptr=null
//|     waited! taskgroup $q %u GROUP|@GROUPEND|@SECOND
//|     task_over! $q %u 0 TASKS
//|     join! $q $root TASKS
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %v 2 1
//|     cancel task=%v flags=parallel,detected codeptr=@POINT
//|     worker_task_over! $p %v 1
//|     task! $q %w 2 1
//|     worker_task_over! $q %w 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| team! $q
//| order end:$p < begin:$q
#include <omp.h>

static int over, ran;

int main(void)
{ //@PAR TASKS
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel //@HERE
        } else {
            for (;;) { //@POINT
#pragma omp cancellation point parallel //@POINT
            }
        }
    } //@PAR TASKS
#pragma omp parallel //@TASKS
    {
        if (omp_get_thread_num() != 0) { //@GROUP FIRST SECOND
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp taskgroup //@GROUP
            {
#pragma omp task //@FIRST
                ran++;
#pragma omp task //@SECOND
                {
#pragma omp cancel taskgroup //@STOP
                    ran++;
                }
            } //@GROUPEND
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    } //@TASKS
    return ran;
}
