// The teams of a league combine their results, each in turn, and wait for no barrier. gcc combines
// without the runtime.
//#Compilers:clang
//#Opt:-O0
//#ReferenceFails:libomp reports a region of one thread in each team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     league! $p $root none 2 LEAGUE
//|     initial! $p %t 2 0
//|     reduction kind=reduction endpoint=begin parallel=$p task=%t codeptr=@BODY
//|     reduction kind=reduction endpoint=end parallel=$p task=%t codeptr=@BODY
//|     initial_over! $p %t 0 @LEAGUE
//|     league_over! $p $root LEAGUE
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     initial! $p %t 2 1
//|     reduction kind=reduction endpoint=begin parallel=$p task=%t codeptr=@BODY
//|     reduction kind=reduction endpoint=end parallel=$p task=%t codeptr=@BODY
//|     initial_over! $p %t 1 null
//|     thread_end thread_data=ok
//| }
//| team! $p
#include <omp.h>

int main(void)
{
    int sum = 0;
#pragma omp teams num_teams(2) reduction(+ : sum) //@LEAGUE @BODY
    sum += 1 + omp_get_team_num(); //@BODY
    return sum == 3 ? 0 : 1;
}
