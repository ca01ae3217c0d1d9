// Workers idle between regions, from the end of their part until they get another one: those of the
// pool that have no part in the second region idle all the time.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#Opt:-O0
//#Repeat:3
//#Trace
//| primary {
//|     start!
//|     fork! $p $root null 3 FIRST
//|     task! $p %t
//|     task_over! $p %t @FIRST
//|     join! $p $root
//|     fork! $q $root null 2 SECOND
//|     task! $q %u
//|     task_over! $q %u @SECOND
//|     join! $q $root
//|     control command=64 modifier=1 as probe
//|     + level number=0 there=1 task=$root type=serial region=zero parallel=zero exit=null
//|     + level number=1 there=0
//|     finish!
//| }
//| worker 1 {
//|     worker_start!
//|     work! $p %t
//|     work_over! $p %t @FIRST
//|     work! $q %u
//|     work_over! $q %u @SECOND
//|     worker_finish!
//| }
//| worker 1 {
//|     idle_worker! $p @FIRST
//| }
//| team! $p
//| team! $q
//| prompt rest:$p < begin:$q
//| prompt rest:$q < probe
#include "waits.h"
#include <omp.h>

#ifndef __clang__
int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));
#endif

int main(void)
{
    int sum = 0;
#pragma omp parallel //@FIRST
    {
#pragma omp atomic
        sum++;
    }
    until_idle(2);
#pragma omp parallel num_threads(2) //@SECOND
    {
#pragma omp atomic
        sum++;
    }
    until_idle(2);
    omp_control_tool(64, 1, NULL);
    return sum == 5 ? 0 : 1;
}
