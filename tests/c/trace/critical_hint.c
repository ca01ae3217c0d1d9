// The hint of a critical is told; GCC keeps it to itself.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp gives another address for the release in a worker
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     gcc: mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=@HINT
//|     clang: mutex_acquire kind=critical hint=2 impl=* wait_id=$w codeptr=@HINT
//|     mutex_acquired kind=critical wait_id=$w codeptr=@HINT
//|     mutex_released kind=critical wait_id=$w codeptr=@HINT|@LEAVE
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     gcc: mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=@HINT
//|     clang: mutex_acquire kind=critical hint=2 impl=* wait_id=$w codeptr=@HINT
//|     mutex_acquired kind=critical wait_id=$w codeptr=@HINT
//|     mutex_released kind=critical wait_id=$w codeptr=@HINT|@LEAVE
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
#include <omp.h>

int main(void)
{
    int sum = 0, named = 0;
#pragma omp parallel //@PAR
    {
#pragma omp atomic
        sum++;
#pragma omp critical(name) hint(omp_sync_hint_contended) //@HINT
        named++; //@LEAVE
#pragma omp atomic
        sum++;
    }
    return sum == 4 && named == 2 ? 0 : 1;
}
