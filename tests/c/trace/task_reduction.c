// Task reductions: combining is told where the runtime does it, which is in clang's programs; gcc's
// combine by themselves. Each thread begins a taskgroup of its own for the task modifier.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp tells of no task reduction
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=@GROUP
//|     create! %task %t explicit 0 TASK
//|     wait! taskgroup $p %t GROUPEND
//|     run! %t %task
//|     clang: reduction kind=reduction endpoint=begin parallel=$p task=%t codeptr=@GROUPEND
//|     clang: reduction kind=reduction endpoint=end parallel=$p task=%t codeptr=@GROUPEND
//|     waited! taskgroup $p %t GROUPEND
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, sum = 1;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) { //@GROUP TASK GROUPEND
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp taskgroup task_reduction(+ : sum) //@GROUP
            {
#pragma omp task in_reduction(+ : sum) //@TASK
                sum += 10;
            } //@GROUPEND
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return sum == 11 ? 0 : 1;
}
