// Reductions of tasks, where the runtime combines: of a taskloop, of nested taskgroups, of a region
// with the task modifier, whose threads each have a taskgroup. gcc's programs combine by themselves.
//#Compilers:clang
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp tells of no task reduction
//#NoStderr
//#Trace
//| def combine p t at {
//|     reduction kind=reduction endpoint=begin parallel={p} task={t} codeptr=@{at}
//|     reduction kind=reduction endpoint=end parallel={p} task={t} codeptr=@{at}
//| }
//| def group p t at {
//|     sync_region kind=taskgroup endpoint=begin parallel={p} task={t} codeptr=@{at}
//| }
//| def chunk t task first {
//|     task_schedule prior={t} status=switch next={task}
//|     dispatch kind=taskloop_chunk parallel=$p task={task} instance={first}+2
//|     task_schedule prior={task} status=complete next={t}
//| }
//| def modified t {
//|     group! $q {t} MOD
//|     create! %own {t} explicit 0 MODTASK
//|     wait! taskgroup $q {t} MODEND
//|     many {
//|         task_schedule prior={t} status=switch next=*
//|         task_schedule prior=* status=complete next={t}
//|     }
//|     maybe {
//|         reduction kind=reduction endpoint=begin parallel=$q task={t} codeptr=@MODEND as last
//|         reduction kind=reduction endpoint=end parallel=$q task={t} codeptr=@MODEND
//|     }
//|     waited! taskgroup $q {t} MODEND
//|     combine! $q {t} MODEND
//| }
//| # A thread at the barrier may run the other's task.
//| def modified_over t i at {
//|     sync_region kind=barrier_implicit_parallel endpoint=begin parallel=$q task={t} codeptr={at} as arrive:$q
//|     sync_region_wait kind=barrier_implicit_parallel endpoint=begin parallel=$q task={t} codeptr={at}
//|     many {
//|         task_schedule prior={t} status=switch next=*
//|         task_schedule prior=* status=complete next={t}
//|     }
//|     sync_region_wait kind=barrier_implicit_parallel endpoint=end parallel=null task={t} codeptr={at} as released:$q
//|     sync_region kind=barrier_implicit_parallel endpoint=end parallel=null task={t} codeptr={at}
//|     implicit_task endpoint=end parallel=null task={t} parallelism=0 index={i} flags=implicit as over:$q
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     group! $p %t LOOP
//|     work type=taskloop endpoint=begin parallel=$p task=%t count=4 codeptr=@LOOP
//|     create! %first %t explicit 0 LOOP
//|     create! %second %t explicit 0 LOOP
//|     work type=taskloop endpoint=end parallel=$p task=%t count=4 codeptr=@LOOP
//|     wait! taskgroup $p %t LOOP
//|     chunk! %t %second 2
//|     chunk! %t %first 0
//|     combine! $p %t LOOP
//|     waited! taskgroup $p %t LOOP
//|
//|     group! $p %t OUTER
//|     group! $p %t INNER
//|     create! %task %t explicit 0 TASK
//|     wait! taskgroup $p %t INNEREND
//|     run! %t %task
//|     combine! $p %t INNEREND
//|     waited! taskgroup $p %t INNEREND
//|     wait! taskgroup $p %t OUTEREND
//|     combine! $p %t OUTEREND
//|     waited! taskgroup $p %t OUTEREND
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|
//|     # The last thread that ends its taskgroup combines what tasks did; then the region reduces.
//|     fork! $q $root none 2 MOD
//|     task! $q %u 2 0
//|     modified! %u
//|     modified_over! %u 0 @MOD
//|     join! $q $root MOD
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %v 2 1
//|     worker_task_over! $p %v 1
//|     task! $q %w 2 1
//|     modified! %w
//|     modified_over! %w 1 null
//|     thread_end thread_data=ok
//| }
//| team! $p
//| order end:$p < begin:$q
//| team! $q
//| total 6 reduction kind=reduction endpoint=begin ..
#include <omp.h>

static int over, sum = 1, product = 1;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp taskloop reduction(+ : sum) num_tasks(2) //@LOOP
            for (int i = 0; i < 4; i++) //@LOOP
                sum += 10;
#pragma omp taskgroup task_reduction(+ : sum) //@OUTER
            {
#pragma omp taskgroup task_reduction(* : product) //@INNER
                {
#pragma omp task in_reduction(* : product) in_reduction(+ : sum) //@TASK
                    {
                        product *= 3;
                        sum += 10;
                    }
                } //@INNEREND
            } //@OUTEREND
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
#pragma omp parallel reduction(task, + : sum) //@MOD
    { //@MOD
#pragma omp task in_reduction(+ : sum) //@MODTASK
        sum += 10;
    } //@MODEND
    return sum == 71 && product == 3 ? 0 : 1;
}
