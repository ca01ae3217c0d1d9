// Distribute loops: the work of each team, and its chunks. gcc divides the loops itself.
//#Opt:-O0
//#Compilers:clang
//#ReferenceFails:libomp reports a region of one thread in each team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     league! $p $root none 2 LEAGUE
//|     initial! $p %t 2 0
//|     work type=distribute endpoint=begin parallel=$p task=%t count=20 codeptr=@LOOP
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=0+10
//|     work type=distribute endpoint=end parallel=$p task=%t count=0 codeptr=@LOOP
//|     work type=distribute endpoint=begin parallel=$p task=%t count=20 codeptr=@CHUNKS
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=0+3
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=6+3
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=12+3
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=18+2
//|     work type=distribute endpoint=end parallel=$p task=%t count=0 codeptr=@CHUNKS
//|     initial_over! $p %t 0 @LEAGUE
//|     league_over! $p $root LEAGUE
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     initial! $p %t 2 1
//|     work type=distribute endpoint=begin parallel=$p task=%t count=20 codeptr=@LOOP
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=10+10
//|     work type=distribute endpoint=end parallel=$p task=%t count=0 codeptr=@LOOP
//|     work type=distribute endpoint=begin parallel=$p task=%t count=20 codeptr=@CHUNKS
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=3+3
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=9+3
//|     dispatch kind=distribute_chunk parallel=$p task=%t instance=15+3
//|     work type=distribute endpoint=end parallel=$p task=%t count=0 codeptr=@CHUNKS
//|     initial_over! $p %t 1 null
//|     thread_end thread_data=ok
//| }
//| team! $p
int main(void)
{
    int sum = 0;
#pragma omp teams num_teams(2) shared(sum) //@LEAGUE
    {
#pragma omp distribute //@LOOP
        for (int i = 0; i < 20; i++) //@LOOP
            __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
#pragma omp distribute dist_schedule(static, 3) //@CHUNKS
        for (int i = 0; i < 20; i++) //@CHUNKS
            __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
    }
    return sum == 380 ? 0 : 1;
}
