// copyprivate: a single whose value all threads get; barriers as the compiler calls them.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     either {
//|         work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE|@BODY
//|     } or {
//|         work type=single_other endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_other endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE
//|     }
//|     # The runtime needs a barrier so that everybody has copied; its kind is implementation-defined.
//|     many {
//|         sync_region kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=begin parallel=$p task=%t codeptr=@SINGLE|@BODY
//|         sync_region_wait kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=begin parallel=$p task=%t codeptr=@SINGLE|@BODY
//|         sync_region_wait kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=end parallel=$p task=%t codeptr=@SINGLE|@BODY
//|         sync_region kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=end parallel=$p task=%t codeptr=@SINGLE|@BODY
//|     }
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     either {
//|         work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE|@BODY
//|     } or {
//|         work type=single_other endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_other endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE
//|     }
//|     # The runtime needs a barrier so that everybody has copied; its kind is implementation-defined.
//|     many {
//|         sync_region kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=begin parallel=$p task=%t codeptr=@SINGLE|@BODY
//|         sync_region_wait kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=begin parallel=$p task=%t codeptr=@SINGLE|@BODY
//|         sync_region_wait kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=end parallel=$p task=%t codeptr=@SINGLE|@BODY
//|         sync_region kind=barrier_implementation|barrier_implicit_workshare|barrier_explicit endpoint=end parallel=$p task=%t codeptr=@SINGLE|@BODY
//|     }
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| total 1 work type=single_executor endpoint=begin parallel=$p ..
int main(void)
{
    int sum = 0, number = 0;
#pragma omp parallel firstprivate(number) //@PAR
    {
#pragma omp atomic
        sum++; //@SINGLE
#pragma omp single copyprivate(number) //@SINGLE
        number = 5; //@BODY SINGLE
#pragma omp atomic
        sum += number;
    }
    return sum == 12 ? 0 : 1;
}
