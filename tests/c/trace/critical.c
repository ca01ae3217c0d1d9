// Two criticals are two mutexes; each is asked for, had and given back.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp gives another address for the release in a worker
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=@UNNAMED
//|     mutex_acquired kind=critical wait_id=$w codeptr=@UNNAMED
//|     mutex_released kind=critical wait_id=$w codeptr=@UNNAMED|@LEAVE
//|     mutex_acquire kind=critical hint=0 impl=* wait_id=$v codeptr=@NAMED
//|     mutex_acquired kind=critical wait_id=$v codeptr=@NAMED
//|     mutex_released kind=critical wait_id=$v codeptr=@NAMED|@LEAVE
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     mutex_acquire kind=critical hint=0 impl=* wait_id=$w codeptr=@UNNAMED
//|     mutex_acquired kind=critical wait_id=$w codeptr=@UNNAMED
//|     mutex_released kind=critical wait_id=$w codeptr=@UNNAMED|@LEAVE
//|     mutex_acquire kind=critical hint=0 impl=* wait_id=$v codeptr=@NAMED
//|     mutex_acquired kind=critical wait_id=$v codeptr=@NAMED
//|     mutex_released kind=critical wait_id=$v codeptr=@NAMED|@LEAVE
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
int main(void)
{
    int sum = 0, unnamed = 0, named = 0;
#pragma omp parallel //@PAR
    {
#pragma omp atomic
        sum++;
#pragma omp critical //@UNNAMED
        unnamed++; //@LEAVE
#pragma omp critical(name) //@NAMED
        named++; //@LEAVE
#pragma omp atomic
        sum++;
    }
    return sum == 4 && unnamed == 2 && named == 2 ? 0 : 1;
}
