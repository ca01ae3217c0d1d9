// In a team of one, and outside any region, every task is undeferred; a taskwait without children
// and a region that a task opens are told as anywhere.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     task_create task=%outside encountering_task=$root exit_frame=none enter_frame=set:application,framepointer flags=explicit,undeferred has_dependences=0 codeptr=@OUTSIDE
//|     run! $root %outside
//|     sync_region kind=taskwait endpoint=begin parallel=* task=$root codeptr=@WAIT
//|     wait! taskwait * $root WAIT
//|     waited! taskwait * $root WAIT
//|     fork! $p $root none 1 PAR
//|     task! $p %t 1 0
//|     create! %inside %t explicit,undeferred 0 INSIDE
//|     task_schedule prior=%t status=switch next=%inside
//|     fork! $q %inside set:runtime,framepointer 1 INNER
//|     task! $q %u 1 0
//|     task_over! $q %u 0 INNER
//|     join! $q %inside INNER
//|     task_schedule prior=%inside status=complete next=%t
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
#include <omp.h>

static int ran;

int main(void)
{ //@OUTSIDE
#pragma omp task //@OUTSIDE
    ran++;
#pragma omp taskwait //@WAIT PAR
#pragma omp parallel //@PAR INSIDE
    {
#pragma omp task //@INSIDE
        {
            ran++; //@INNER
#pragma omp parallel //@INNER
            ran++;
        }
    }
    return ran == 3 ? 0 : 1;
}
