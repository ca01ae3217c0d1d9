// Optimised code without frame pointers: an address in the frame stands for it. That it is below
// the runtime's frame that called the outlined function is a rule for the log of every program.
//#Opt:-O1,-O2
//#Flags:-fomit-frame-pointer
//#ReferenceFails:libomp takes what is in the register for a frame pointer
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=set:application,stackaddress requested=1 flags=invoker_runtime,team codeptr=$region
//|     task! $p %t 1 0
//|     task_create task=%x encountering_task=%t exit_frame=set:runtime,framepointer enter_frame=set:application,stackaddress flags=explicit,undeferred has_dependences=0 codeptr=$task
//|     task_schedule prior=%t status=switch next=%x
//|     parallel_begin parallel=$q encountering_task=%x exit_frame=set:runtime,framepointer enter_frame=set:application,stackaddress requested=1 flags=invoker_runtime,team codeptr=$inner
//|     task! $q %u 1 0
//|     region_barrier! $q %u $inner
//|     implicit_task endpoint=end parallel=null task=%u parallelism=0 index=0 flags=implicit
//|     parallel_end parallel=$q encountering_task=%x flags=invoker_runtime,team codeptr=$inner
//|     task_schedule prior=%x status=complete next=%t
//|     region_barrier! $p %t $region
//|     implicit_task endpoint=end parallel=null task=%t parallelism=0 index=0 flags=implicit
//|     parallel_end parallel=$p encountering_task=$root flags=invoker_runtime,team codeptr=$region
//|     finish!
//| }
static volatile int sum;

int main(void)
{
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        {
#pragma omp parallel num_threads(1)
            sum++;
            sum++;
        }
        sum++;
    }
    return sum == 3 ? 0 : 1;
}
