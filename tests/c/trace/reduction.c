// Each thread reports the combining of its part; GCC uses atomics for one variable.
//#Env:OMP_NUM_THREADS=2
//#ReferenceFails:libomp combines with atomics here and reports nothing
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     when clang {
//|         reduction kind=reduction endpoint=begin parallel=$p task=%t codeptr=@PAR|@LAST
//|         reduction kind=reduction endpoint=end parallel=$p task=%t codeptr=@PAR|@LAST
//|     }
//|     when gcc {
//|         mutex_acquire kind=atomic hint=0 impl=* wait_id=$atomic codeptr=@PAR|@LAST
//|         mutex_acquired kind=atomic wait_id=$atomic codeptr=@PAR|@LAST
//|         mutex_released kind=atomic wait_id=$atomic codeptr=@PAR|@LAST
//|     }
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     when clang {
//|         reduction kind=reduction endpoint=begin parallel=$p task=%t codeptr=@PAR|@LAST
//|         reduction kind=reduction endpoint=end parallel=$p task=%t codeptr=@PAR|@LAST
//|     }
//|     when gcc {
//|         mutex_acquire kind=atomic hint=0 impl=* wait_id=$atomic codeptr=@PAR|@LAST
//|         mutex_acquired kind=atomic wait_id=$atomic codeptr=@PAR|@LAST
//|         mutex_released kind=atomic wait_id=$atomic codeptr=@PAR|@LAST
//|     }
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
#include <omp.h>

int main(void)
{
    int sum = 0;
    double product = 1;
#pragma omp parallel reduction(+ : sum) reduction(* : product) //@PAR
    {
        sum += omp_get_thread_num() + 1;
        product *= 2; //@LAST
    } //@LAST
    return sum == 3 && product == 4 ? 0 : 1;
}
