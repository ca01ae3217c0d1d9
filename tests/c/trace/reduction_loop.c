// A reduction at the end of a loop: clang's code has a barrier of the reduction, and then that of
// the loop; gcc combines inline.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls GCC's barriers barrier_implementation, and tells no reduction here
//#NoStderr
//#Trace
//| def loop t first {
//|     when clang {
//|         work type=loop_static endpoint=begin parallel=$p task={t} count=8 codeptr=@LOOP
//|         dispatch kind=ws_loop_chunk parallel=$p task={t} instance={first}+4
//|         work type=loop_static endpoint=end parallel=$p task={t} count=0 codeptr=@LOOP
//|         reduction kind=reduction endpoint=begin parallel=$p task={t} codeptr=@LOOP
//|         reduction kind=reduction endpoint=end parallel=$p task={t} codeptr=@LOOP
//|         sync_region kind=barrier_implementation endpoint=begin parallel=$p task={t} codeptr=@LOOP
//|         sync_region_wait kind=barrier_implementation endpoint=begin parallel=$p task={t} codeptr=@LOOP
//|         sync_region_wait kind=barrier_implementation endpoint=end parallel=$p task={t} codeptr=@LOOP
//|         sync_region kind=barrier_implementation endpoint=end parallel=$p task={t} codeptr=@LOOP
//|     }
//|     end_barrier! $p {t} LOOP
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     loop! %t 0
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     loop! %t 4
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
int main(void)
{
    int sum = 0, ran = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(static) reduction(+ : sum) //@LOOP
        for (int i = 0; i < 8; i++) //@LOOP
            sum += i; //@LOOP
#pragma omp atomic //@LOOP
        ran++;
    }
    return sum == 28 && ran == 2 ? 0 : 1;
}
