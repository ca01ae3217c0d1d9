// A loop without iterations: clang sees that for itself, GCC asks the runtime.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     when gcc {
//|         work type=loop_dynamic endpoint=begin parallel=$p task=%t count=0 codeptr=@LOOP|@PAR
//|         work type=loop_dynamic endpoint=end parallel=$p task=%t count=0 codeptr=@LOOP|@PAR
//|     }
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     when gcc {
//|         work type=loop_dynamic endpoint=begin parallel=$p task=%t count=0 codeptr=@LOOP|@PAR
//|         work type=loop_dynamic endpoint=end parallel=$p task=%t count=0 codeptr=@LOOP|@PAR
//|     }
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
static volatile int none;

int main(void)
{
    int sum = 0, end = none;
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(dynamic) //@LOOP
        for (int i = 0; i < end; i++) //@LOOP
            sum++; //@LOOP
#pragma omp atomic
        sum++;
    }
    return sum == 2 ? 0 : 1;
}
