// A loop that is divided among teams and then among threads: the distribute region is the initial
// task's, and the loop of each team is told by its own numbers. gcc divides both itself.
//#Compilers:clang
//#Opt:-O0
//#ReferenceFails:libomp reports a region of one thread in each team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     league! $p $root none 1 LOOP
//|     initial! $p %t 1 0
//|     work type=distribute endpoint=begin parallel=$p task=%t count=9 codeptr=@LOOP
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=0+9
//|     fork! $a %t set:runtime,framepointer 2 LOOP
//|     task! $a %u 2 0
//|     work type=loop_static endpoint=begin parallel=$a task=%u count=9 codeptr=@LOOP
//|     dispatch kind=ws_loop_chunk parallel=$a task=%u instance=0+2
//|     dispatch kind=ws_loop_chunk parallel=$a task=%u instance=4+2
//|     dispatch kind=ws_loop_chunk parallel=$a task=%u instance=8+1
//|     work type=loop_static endpoint=end parallel=$a task=%u count=0 codeptr=@LOOP
//|     task_over! $a %u 0 LOOP
//|     join! $a %t LOOP
//|     work type=distribute endpoint=end parallel=$p task=%t count=0 codeptr=@LOOP
//|     initial_over! $p %t 0 @LOOP
//|     league_over! $p $root LOOP
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $a %u 2 1
//|     work type=loop_static endpoint=begin parallel=$a task=%u count=9 codeptr=@LOOP
//|     dispatch kind=ws_loop_chunk parallel=$a task=%u instance=2+2
//|     dispatch kind=ws_loop_chunk parallel=$a task=%u instance=6+2
//|     work type=loop_static endpoint=end parallel=$a task=%u count=0 codeptr=@LOOP
//|     worker_task_over! $a %u 1
//|     thread_end thread_data=ok
//| }
//| team! $a
int main(void)
{
    int sum = 0;
#pragma omp teams distribute parallel for num_teams(1) thread_limit(2) schedule(static, 2) //@LOOP
    for (int i = 0; i < 9; i++) //@LOOP
        __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
    return sum == 36 ? 0 : 1;
}
