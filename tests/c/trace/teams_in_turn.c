// A league of more teams than threads: a thread executes several initial tasks in turn, and waits for
// the others after its last.
//#Env:KMP_TEAMS_THREAD_LIMIT=2
//#Opt:-O0
//#ReferenceFails[gcc]:libgomp has no tools interface
//#ReferenceFails[clang]:libomp reports a region of one thread in each team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     league! $p $root none 5 LEAGUE
//|     initial! $p %a 5 0
//|     implicit_task endpoint=end parallel=null task=%a parallelism=0 index=0 flags=initial
//|     initial! $p %b 5 2
//|     implicit_task endpoint=end parallel=null task=%b parallelism=0 index=2 flags=initial
//|     initial! $p %c 5 4
//|     initial_over! $p %c 4 @LEAGUE
//|     league_over! $p $root LEAGUE
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     initial! $p %a 5 1
//|     implicit_task endpoint=end parallel=null task=%a parallelism=0 index=1 flags=initial
//|     initial! $p %b 5 3
//|     initial_over! $p %b 3 null
//|     thread_end thread_data=ok
//| }
//| order begin:$p < task:$p
//| order arrive:$p < released:$p
#include <omp.h>

int main(void)
{
    int sum = 0;
#pragma omp teams num_teams(5) shared(sum) //@LEAGUE
    __atomic_fetch_add(&sum, 1 + omp_get_team_num(), __ATOMIC_SEQ_CST);
    return sum == 15 ? 0 : 1;
}
