// A scope whose tasks take part in its reduction: gcc's code calls the runtime where it begins, and
// its barrier ends it. (gcc calls nothing for a scope without the modifier.)
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libgomp has no tools interface
//#NoStderr
//#Trace
//| def scope t {
//|     sync_region kind=taskgroup endpoint=begin parallel=$p task={t} codeptr=@SCOPE|@PAR
//|     work type=scope endpoint=begin parallel=$p task={t} count=1 codeptr=@SCOPE|@PAR
//|     work type=scope endpoint=end parallel=$p task={t} count=1 codeptr=@SCOPE|@PAR
//|     barrier! barrier_explicit $p {t} SCOPE
//|     sync_region_wait kind=taskgroup endpoint=begin parallel=$p task={t} codeptr=@SCOPE
//|     sync_region_wait kind=taskgroup endpoint=end parallel=$p task={t} codeptr=@SCOPE
//|     sync_region kind=taskgroup endpoint=end parallel=$p task={t} codeptr=@SCOPE
//|     sync_region kind=barrier_implementation endpoint=begin parallel=$p task={t} codeptr=@SCOPE
//|     sync_region_wait kind=barrier_implementation endpoint=begin parallel=$p task={t} codeptr=@SCOPE
//|     sync_region_wait kind=barrier_implementation endpoint=end parallel=$p task={t} codeptr=@SCOPE
//|     sync_region kind=barrier_implementation endpoint=end parallel=$p task={t} codeptr=@SCOPE
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     scope! %t
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     scope! %t
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p SCOPE
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp scope reduction(task, + : sum) //@SCOPE
        { //@SCOPE
            sum++; //@SCOPE
        } //@SCOPE
    }
    return sum == 2 ? 0 : 1;
}
