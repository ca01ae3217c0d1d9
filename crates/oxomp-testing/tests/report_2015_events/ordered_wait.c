// An ordered region whose turn has not come: the wait is told, in its state. The thread whose turn
// it is does not wait.
//#Env:OMP_NUM_THREADS=2
//#Vary:OMP_WAIT_POLICY=active|passive
//#Opt:-O0
//#Repeat:3
//#Trace
//| primary {
//|     start!
//|     fork! $p $root null 2 PAR
//|     task! $p %t
//|     loop_begin parallel=$p task=%t codeptr=@LOOP|@PAR
//|     acquired_ordered wait_id=$o
//|     release_ordered wait_id=$o as first
//|     loop_end parallel=$p task=%t
//|     maybe {
//|         barrier! $p %t LOOP
//|     }
//|     task_over! $p %t @PAR
//|     join! $p $root
//|     finish!
//| }
//| worker 1 {
//|     worker_start!
//|     work! $p %t
//|     loop_begin parallel=$p task=%t codeptr=@LOOP|@PAR
//|     wait_ordered wait_id=$o state=wait_ordered wait=$o as wait
//|     acquired_ordered wait_id=$o as second
//|     release_ordered wait_id=$o
//|     loop_end parallel=$p task=%t
//|     maybe {
//|         barrier! $p %t LOOP
//|     }
//|     work_over! $p %t @PAR
//|     worker_finish!
//| }
//| team! $p
//| order wait < first
#include "waits.h"
#include <omp.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for ordered schedule(static, 1) //@LOOP
        for (int i = 0; i < 2; i++) { //@LOOP
            if (i == 0)
                until_waits(1);
#pragma omp ordered //@LOOP
            sum++; //@LOOP
        } //@LOOP
    }
    return sum == 2 ? 0 : 1;
}
