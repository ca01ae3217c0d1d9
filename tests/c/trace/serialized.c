// Regions of one thread are regions too, with the barrier that ends them: by if, by clause, by the
// nesting limit.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp tells the invoker and the frames of serialized regions otherwise
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     # clang's code calls the outlined function itself where the clause is false.
//|     clang: parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=set:application,framepointer requested=1 flags=invoker_program,team codeptr=@IF
//|     gcc: parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=set:application,framepointer requested=1 flags=invoker_runtime,team codeptr=@IF
//|     task! $p %a 1 0
//|     task_over! $p %a 0 IF
//|     clang: parallel_end parallel=$p encountering_task=$root flags=invoker_program,team codeptr=@IF
//|     gcc: parallel_end parallel=$p encountering_task=$root flags=invoker_runtime,team codeptr=@IF
//|     fork! $q $root none 1 ONE
//|     task! $q %b 1 0
//|     # Inside it one more, beyond the limit.
//|     fork! $r %b set:runtime,framepointer 4 INNER
//|     task! $r %c 1 0
//|     task_over! $r %c 0 INNER
//|     join! $r %b INNER
//|     task_over! $q %b 0 ONE
//|     join! $q $root ONE
//|     finish!
//| }
#include <omp.h>

int main(void)
{
    int sum = 0, no = omp_get_level();
    omp_set_max_active_levels(0);
#pragma omp parallel if (no) //@IF
    sum++;
#pragma omp parallel num_threads(1) //@ONE
    {
        sum++;
#pragma omp parallel num_threads(4) //@INNER
        sum++;
        sum++;
    }
    return sum == 4 ? 0 : 1;
}
