// One thread executes, the others pass; with the barrier and without.
//#Env:OMP_NUM_THREADS=3
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 3 PAR
//|     task! $p %t 3 0
//|     either {
//|         work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE|@BODY
//|     } or {
//|         work type=single_other endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_other endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE
//|     }
//|     end_barrier! $p %t SINGLE
//|     either {
//|         work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@NOWAIT
//|         work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@NOWAIT|@BODY
//|     } or {
//|         work type=single_other endpoint=begin parallel=$p task=%t count=1 codeptr=@NOWAIT
//|         work type=single_other endpoint=end parallel=$p task=%t count=1 codeptr=@NOWAIT
//|     }
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 2 {
//|     thread_begin type=worker
//|     task! $p %t 3 %i
//|     either {
//|         work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE|@BODY
//|     } or {
//|         work type=single_other endpoint=begin parallel=$p task=%t count=1 codeptr=@SINGLE
//|         work type=single_other endpoint=end parallel=$p task=%t count=1 codeptr=@SINGLE
//|     }
//|     end_barrier! $p %t SINGLE
//|     either {
//|         work type=single_executor endpoint=begin parallel=$p task=%t count=1 codeptr=@NOWAIT
//|         work type=single_executor endpoint=end parallel=$p task=%t count=1 codeptr=@NOWAIT|@BODY
//|     } or {
//|         work type=single_other endpoint=begin parallel=$p task=%t count=1 codeptr=@NOWAIT
//|         work type=single_other endpoint=end parallel=$p task=%t count=1 codeptr=@NOWAIT
//|     }
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p SINGLE
//| total 2 work type=single_executor endpoint=begin parallel=$p ..
//| total 4 work type=single_other endpoint=end parallel=$p ..
int main(void)
{
    int sum = 0, of_single = 0;
#pragma omp parallel //@PAR
    {
#pragma omp atomic
        sum += 100; //@SINGLE NOWAIT
#pragma omp single //@SINGLE
        of_single++; //@BODY
#pragma omp single nowait //@NOWAIT
        { //@BODY
#pragma omp atomic
            sum++;
        } //@BODY
#pragma omp atomic
        sum += 10;
    }
    return sum == 331 && of_single == 1 ? 0 : 1;
}
