// Sinks are reported when the wait is over, sources before they are posted, both with the numbers of
// the iterations, from 0. A sink outside of the loop nest is no event. gcc's code waits for the last
// sink first.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#ReferenceFails[clang]:libomp reports the first chunk of a static loop only
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     work type=loop_static endpoint=begin parallel=$p task=%t count=3 codeptr=@LOOP|@PAR
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+1
//|     # clang's code takes its chunks without a call between them.
//|     clang: dispatch kind=ws_loop_chunk parallel=$p task=%t instance=2+1
//|     dependences task=%t count=2 as post00
//|     + dependence type=source variable=0
//|     + dependence type=source variable=0
//|     dependences task=%t count=2
//|     + dependence type=sink variable=0
//|     + dependence type=sink variable=0
//|     dependences task=%t count=2 as post01
//|     + dependence type=source variable=0
//|     + dependence type=source variable=1
//|     gcc: dispatch kind=ws_loop_chunk parallel=$p task=%t instance=2+1
//|     dependences task=%t count=2 as after10
//|     + dependence type=sink variable=1
//|     + dependence type=sink variable=0
//|     dependences task=%t count=2 as post20
//|     + dependence type=source variable=2
//|     + dependence type=source variable=0
//|     when gcc {
//|         dependences task=%t count=2
//|         + dependence type=sink variable=2
//|         + dependence type=sink variable=0
//|         dependences task=%t count=2 as after11
//|         + dependence type=sink variable=1
//|         + dependence type=sink variable=1
//|     }
//|     when clang {
//|         dependences task=%t count=2 as after11
//|         + dependence type=sink variable=1
//|         + dependence type=sink variable=1
//|         dependences task=%t count=2
//|         + dependence type=sink variable=2
//|         + dependence type=sink variable=0
//|     }
//|     dependences task=%t count=2 as post21
//|     + dependence type=source variable=2
//|     + dependence type=source variable=1
//|     work type=loop_static endpoint=end parallel=$p task=%t count=0|3 codeptr=@LOOP
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     work type=loop_static endpoint=begin parallel=$p task=%t count=3 codeptr=@LOOP|@PAR
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=1+1
//|     dependences task=%t count=2 as after00
//|     + dependence type=sink variable=0
//|     + dependence type=sink variable=0
//|     dependences task=%t count=2 as post10
//|     + dependence type=source variable=1
//|     + dependence type=source variable=0
//|     when gcc {
//|         dependences task=%t count=2
//|         + dependence type=sink variable=1
//|         + dependence type=sink variable=0
//|         dependences task=%t count=2 as after01
//|         + dependence type=sink variable=0
//|         + dependence type=sink variable=1
//|     }
//|     when clang {
//|         dependences task=%t count=2 as after01
//|         + dependence type=sink variable=0
//|         + dependence type=sink variable=1
//|         dependences task=%t count=2
//|         + dependence type=sink variable=1
//|         + dependence type=sink variable=0
//|     }
//|     dependences task=%t count=2 as post11
//|     + dependence type=source variable=1
//|     + dependence type=source variable=1
//|     work type=loop_static endpoint=end parallel=$p task=%t count=0|3 codeptr=@LOOP
//|     barrier! barrier_implicit_workshare $p %t LOOP
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p LOOP
//| order post00 < after00
//| order post01 < after01
//| order post10 < after10
//| order post11 < after11
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for ordered(2) schedule(static, 1) //@LOOP
        for (int i = 0; i < 3; i++) //@LOOP
            for (int j = 4; j > 2; j--) { //@LOOP
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j + 1) //@LOOP
#pragma omp atomic
                sum++; //@LOOP
#pragma omp ordered depend(source) //@LOOP
            } //@LOOP
#pragma omp atomic
        sum++;
    }
    return sum == 8 ? 0 : 1;
}
