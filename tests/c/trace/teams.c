// A league of two teams, and a region in each of them.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libgomp has no tools interface
//#ReferenceFails[clang]:libomp reports a region of one thread in each team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     league! $p $root none 2 LEAGUE
//|     initial! $p %t 2 0
//|     fork! $a %t set:runtime,framepointer 2 INNER
//|     task! $a %u 2 0
//|     task_over! $a %u 0 INNER
//|     join! $a %t INNER
//|     initial_over! $p %t 0 @LEAGUE
//|     league_over! $p $root LEAGUE
//|     league! $q $root none 1 ALONE
//|     initial! $q %s 1 0
//|     initial_over! $q %s 0 @ALONE
//|     league_over! $q $root ALONE
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     initial! $p %t 2 1
//|     fork! $b %t set:runtime,framepointer 2 INNER
//|     task! $b %u 2 0
//|     task_over! $b %u 0 INNER
//|     join! $b %t INNER
//|     initial_over! $p %t 1 null
//|     thread_end thread_data=ok
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $a %t 2 1
//|     worker_task_over! $a %t 1
//|     thread_end thread_data=ok
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $b %t 2 1
//|     worker_task_over! $b %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| team! $a
//| team! $b
//| order begin:$p < begin:$a
//| order begin:$p < begin:$b
//| order end:$a < end:$p
//| order end:$b < end:$p
#include <omp.h>
#include <unistd.h>

static int met;

int main(void)
{
    int sum = 0;
#pragma omp teams num_teams(2) thread_limit(2) shared(sum) //@LEAGUE
    {
#pragma omp parallel num_threads(2) //@INNER
        {
            // Both inner teams exist at once, so that no thread can serve in both.
            __atomic_fetch_add(&met, 1, __ATOMIC_SEQ_CST);
            while (__atomic_load_n(&met, __ATOMIC_SEQ_CST) < 4)
                usleep(1000);
            __atomic_fetch_add(&sum, 1, __ATOMIC_SEQ_CST);
        }
    }
#pragma omp teams num_teams(1) shared(sum) //@ALONE
    sum += omp_get_num_teams();
    return sum == 5 ? 0 : 1;
}
