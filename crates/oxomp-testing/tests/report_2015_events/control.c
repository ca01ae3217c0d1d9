// Both routines by which a program controls a tool: the arguments reach the callback as they are, in
// the task that calls.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#Trace
//| primary {
//|     start!
//|     control command=1 modifier=0
//|     + level number=0 there=1 task=$root type=serial
//|     fork! $p $root null 2 PAR
//|     task! $p %t
//|     create! %task %t TASK
//|     task_switch first=%t second=%task
//|     control command=77 modifier=123456789012
//|     + level number=0 there=1 task=%task type=explicit
//|     + level number=1 there=1 task=%t type=implicit
//|     task_end task=%task
//|     task_switch first=zero second=%t
//|     control command=65 modifier=-1
//|     + level number=0 there=1 task=%t type=implicit
//|     task_over! $p %t @PAR
//|     join! $p $root
//|     control command=4 modifier=7
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p @PAR
//| }
//| team! $p
#include <omp.h>
#include <stdint.h>

extern void ompt_control(uint64_t command, uint64_t modifier) __attribute__((weak));
#ifndef __clang__
int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));
#endif

int main(void)
{
    int times = 0; //@PAR
    ompt_control(1, 0); //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() == 0) {
            times++; //@TASK
#pragma omp task if (0) //@TASK
            ompt_control(77, 123456789012);
            omp_control_tool(65, -1, &times);
        }
    }
    ompt_control(4, 7);
    return times == 1 ? 0 : 1;
}
