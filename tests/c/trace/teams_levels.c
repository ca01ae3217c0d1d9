// What the entry points say in an initial task of a league and in a region of its team: the league
// is the region around the initial task.
//#Opt:-O0
//#ReferenceFails:libomp has a region of one thread in each team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     league! $p $root none 2 LEAGUE
//|     initial! $p %t 2 0
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + parallel_info level=1 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=%t flags=initial parallel=$p thread_num=0 enter_frame=none
//|     + task_info level=1 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + parallel_info level=1 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=%t flags=initial parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     fork! $a %t set:runtime,framepointer 1 INNER
//|     task! $a %u 1 0
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE
//|     + parallel_info level=0 result=2 parallel=$a size=1
//|     + parallel_info level=1 result=2 parallel=$p size=2
//|     + parallel_info level=2 result=2 parallel=$initial size=1
//|     + task_info level=0 result=2 task=%u flags=implicit,undeferred parallel=$a thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 result=2 task=%t flags=initial parallel=$p thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=2 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     task_over! $a %u 0 INNER
//|     join! $a %t INNER
//|     initial_over! $p %t 0 @LEAGUE
//|     league_over! $p $root LEAGUE
//|     + parallel_info level=0 result=2 parallel=$initial size=1
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     initial! $p %t 2 1
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     + task_info level=0 result=2 task=%t flags=initial parallel=$p thread_num=0 enter_frame=none
//|     + task_info level=1 result=2 task=$root flags=initial thread_num=0 exit_frame=none enter_frame=set:application,framepointer
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE
//|     + parallel_info level=0 result=2 parallel=$p size=2
//|     fork! $b %t set:runtime,framepointer 1 INNER
//|     task! $b %u 1 0
//|     control_tool command=64 modifier=0 arg=* codeptr=@PROBE
//|     + parallel_info level=1 result=2 parallel=$p size=2
//|     task_over! $b %u 0 INNER
//|     join! $b %t INNER
//|     initial_over! $p %t 1 null
//|     thread_end thread_data=ok
//| }
//| team! $p
#include "probe.h"

static int answers;

static void probe(void)
{
    int answer = PROBE(0); //@PROBE
    __atomic_fetch_add(&answers, answer, __ATOMIC_RELAXED);
}

int main(void)
{ //@LEAGUE
#pragma omp teams num_teams(2) //@LEAGUE
    {
        probe(); //@INNER
#pragma omp parallel num_threads(1) //@INNER
        probe();
    }
    return answers;
}
