// The events of target constructs before OpenMP 5.1, for a tool that registers them.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=1
//#Env:OXOMP_RECORD_EVENTS=thread_begin,thread_end,parallel_begin,parallel_end,implicit_task,task_create,task_schedule,target,target_submit
//#Opt:-O0
//#ReferenceFails:libgomp has no tools
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     task_create task=%region encountering_task=$root exit_frame=none enter_frame=set:application,framepointer flags=target,undeferred,untied has_dependences=0 codeptr=@REGION
//|     task_schedule prior=$root status=switch next=%region
//|     target kind=target endpoint=begin device=0 task=$root codeptr=@REGION
//|     target_submit teams=1
//|     implicit_task endpoint=begin parallel=$r task=%initial parallelism=1 index=1 flags=initial
//|     implicit_task endpoint=end parallel=null task=%initial parallelism=0 index=1 flags=initial
//|     target kind=target endpoint=end device=0 task=$root codeptr=@REGION
//|     task_schedule prior=%region status=complete next=$root
//|     task_create task=%update encountering_task=$root exit_frame=none enter_frame=set:application,framepointer flags=target,undeferred,untied has_dependences=0 codeptr=@UPDATE
//|     task_schedule prior=$root status=switch next=%update
//|     target kind=update endpoint=begin device=0 task=$root codeptr=@UPDATE
//|     target kind=update endpoint=end device=0 task=$root codeptr=@UPDATE
//|     task_schedule prior=%update status=complete next=$root
//|     finish!
//| }
//| callback target always
//| callback target_submit always
#include <omp.h>

int main(void)
{
    int ran = 0;
#pragma omp target map(tofrom : ran) //@REGION
    ran++;
#pragma omp target update to(ran) //@UPDATE
    return ran == 1 ? 0 : 1;
}
