// taskwait, taskgroup and taskloop as regions; the chunks of a taskloop.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=@GROUP
//|     create! %outer %t explicit 0 TASK
//|     wait! taskgroup $p %t GROUP|@GROUPEND|@TASK
//|     task_schedule prior=%t status=switch next=%outer state=wait_taskgroup
//|     create! %inner %outer explicit 0 CHILD
//|     taskwait! $p %outer WAIT
//|     task_schedule prior=%outer status=switch next=%inner state=wait_taskwait
//|     task_schedule prior=%inner status=complete next=%outer state=work_parallel
//|     waited! taskwait $p %outer WAIT
//|     task_schedule prior=%outer status=complete next=%t
//|     waited! taskgroup $p %t GROUP|@GROUPEND|@TASK
//|
//|     sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=@LOOP
//|     work type=taskloop endpoint=begin parallel=$p task=%t count=10 codeptr=@LOOP
//|     create! %first %t explicit 0 LOOP
//|     create! %second %t explicit 0 LOOP
//|     work type=taskloop endpoint=end parallel=$p task=%t count=10 codeptr=@LOOP
//|     wait! taskgroup $p %t LOOP
//|     task_schedule prior=%t status=switch next=%second
//|     dispatch kind=taskloop_chunk parallel=$p task=%second instance=5+5
//|     task_schedule prior=%second status=complete next=%t
//|     task_schedule prior=%t status=switch next=%first
//|     dispatch kind=taskloop_chunk parallel=$p task=%first instance=0+5
//|     task_schedule prior=%first status=complete next=%t
//|     waited! taskgroup $p %t LOOP
//|
//|     work type=taskloop endpoint=begin parallel=$p task=%t count=4 codeptr=@NOGROUP
//|     create! %only %t explicit 0 NOGROUP
//|     work type=taskloop endpoint=end parallel=$p task=%t count=4 codeptr=@NOGROUP
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=%only
//|     dispatch kind=taskloop_chunk parallel=$p task=%only instance=0+4
//|     task_schedule prior=%only status=complete next=%t
//|     waited! taskwait $p %t WAIT
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, ran;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) { //@GROUP TASK LOOP NOGROUP
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp taskgroup //@GROUP
            {
#pragma omp task //@TASK CHILD
                {
#pragma omp task //@CHILD
                    ran++;
#pragma omp taskwait //@WAIT
                }
            } //@GROUPEND
#pragma omp taskloop grainsize(4) //@LOOP
            for (int i = 10; i < 20; i++) //@LOOP
                ran++;
#pragma omp taskloop nogroup num_tasks(1) //@NOGROUP
            for (long i = 10; i > 0; i -= 3) //@NOGROUP
                ran++;
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 15 ? 0 : 1;
}
