// Target constructs that the host executes: their target tasks, the events of the constructs, and the
// initial task of each region, in which a parallel region is an outermost one.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#ReferenceFails:libgomp has no tools
//#NoStderr
//#Trace
//| # The target task `t` of a construct of `kind`, which task `by` encounters and waits for.
//| def begin t by kind at {
//|     task_create task={t} encountering_task={by} exit_frame=none enter_frame=set:application,framepointer flags=target,undeferred,untied has_dependences=0 codeptr=@{at}
//|     task_schedule prior={by} status=switch next={t}
//|     target_emi kind={kind} endpoint=begin device=0 task={by} target_task={t} codeptr=@{at}
//| }
//| def over t by kind at {
//|     target_emi kind={kind} endpoint=end device=0 task={by} target_task={t} codeptr=@{at}
//|     task_schedule prior={t} status=complete next={by}
//| }
//| def initial p t {
//|     target_submit_emi endpoint=begin teams=1
//|     target_submit_emi endpoint=end teams=1
//|     implicit_task endpoint=begin parallel={p} task={t} parallelism=1 index=1 flags=initial
//| }
//| def initial_over t {
//|     implicit_task endpoint=end parallel=null task={t} parallelism=0 index=1 flags=initial
//| }
//| primary {
//|     start!
//|     begin! %one $root target ONE
//|     initial! $first %first
//|     control_tool command=64 modifier=1 arg=null codeptr=@PROBE
//|     + parallel_info level=0 parallel=$first size=1
//|     + task_info level=0 task=%first flags=initial parallel=$first thread_num=0 exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer
//|     + task_info level=1 task=%one flags=target,undeferred,untied parallel=$initial thread_num=0 exit_frame=set:runtime,framepointer enter_frame=none
//|     + task_info level=2 task=$root flags=initial exit_frame=none enter_frame=set:application,framepointer
//|     parallel_begin parallel=$p encountering_task=%first exit_frame=set:runtime,framepointer enter_frame=set:application,framepointer requested=1 flags=invoker_runtime,team codeptr=@PAR
//|     task! $p %t 1 0
//|     task_over! $p %t 0 PAR
//|     parallel_end parallel=$p encountering_task=%first flags=invoker_runtime,team codeptr=@PAR
//|     initial_over! %first
//|     over! %one $root target ONE
//|     begin! %two $root target TWO
//|     initial! $second %second
//|     initial_over! %second
//|     over! %two $root target TWO
//|     target_emi kind=enter_data endpoint=begin device=0 task=$root target_task=null codeptr=@DATA
//|     target_emi kind=enter_data endpoint=end device=0 task=$root target_task=null codeptr=@DATA
//|     begin! %enter $root enter_data ENTER
//|     over! %enter $root enter_data ENTER
//|     begin! %update $root update UPDATE
//|     over! %update $root update UPDATE
//|     begin! %exit $root exit_data EXIT
//|     over! %exit $root exit_data EXIT
//|     target_emi kind=exit_data endpoint=begin device=0 task=$root target_task=null codeptr=@END
//|     target_emi kind=exit_data endpoint=end device=0 task=$root target_task=null codeptr=@END
//|     finish!
//| }
//| callback target_emi always
//| callback target_submit_emi always
//| callback target_data_op_emi always
#include "probe.h"

int main(void)
{
    int ran = 0;
#pragma omp target map(tofrom : ran) //@ONE
    {
        PROBE(1); //@PROBE
#pragma omp parallel num_threads(1) //@PAR
        ran++;
    }
    // The copy of the variable is in the target task.
#pragma omp target firstprivate(ran) if (0) //@TWO
    ran++;
#pragma omp target data map(ran) //@DATA
    { //@END
#pragma omp target enter data map(to : ran) //@ENTER
#pragma omp target update to(ran) //@UPDATE
#pragma omp target exit data map(from : ran) //@EXIT
        ran++; //@END
    } //@END
    return ran == 2 ? 0 : 1;
}
