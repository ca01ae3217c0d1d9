// Target constructs that the host executes: the target task begins when the construct is met, ends
// when it is done, and executes in between like any task; a region has an initial task. The
// construct `target data` has no task. Without a device nothing is mapped.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#Trace
//| def begin t by exit type code {
//|     target_task_begin parent={by} frame=set exit={exit} reenter=set task={t} device=0 ofn={code} type={type}
//| }
//| def over t by {
//|     target_task_end task={t}
//|     task_switch first=zero second={by}
//| }
//| primary {
//|     start!
//|     begin! %one $root null target @ONE
//|     task_switch first=$root second=%one
//|     initial_task_begin task=%initial
//|     fork! $inner %initial set 1 INNER
//|     task! $inner %i
//|     task_over! $inner %i @INNER
//|     join! $inner %initial
//|     initial_task_end task=%initial
//|     over! %one $root
//|
//|     target_data_begin task=$root device=0 codeptr=@DATA
//|     + level number=0 there=1 task=$root
//|     begin! %enter $root null enter_data null
//|     task_switch first=$root second=%enter
//|     over! %enter $root
//|     begin! %update $root null update null
//|     task_switch first=$root second=%update
//|     over! %update $root
//|     begin! %exit $root null exit_data null
//|     task_switch first=$root second=%exit
//|     over! %exit $root
//|     target_data_end task=$root
//|     + level number=0 there=1 task=$root
//|
//|     # Deferred ones.
//|     fork! $p $root null 2 PAR
//|     task! $p %t
//|     begin! %two %t set target @TWO
//|     task_dependences task=%two items=1
//|     + item var=$v type=inout
//|     begin! %three %t set update null
//|     task_dependences task=%three items=1
//|     + item var=$v type=inout
//|     task_dependence_pair first=%two second=%three
//|     taskwait_begin parallel=$p task=%t codeptr=@WAIT
//|     waits! taskwait $p %t
//|     task_switch first=%t second=%two
//|     initial_task_begin task=%other
//|     initial_task_end task=%other
//|     over! %two %t
//|     waits! taskwait $p %t
//|     task_switch first=%t second=%three
//|     over! %three %t
//|     waits! taskwait $p %t
//|     taskwait_end parallel=$p task=%t
//|     task_over! $p %t @PAR
//|     join! $p $root
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p @PAR
//| }
//| team! $p
#include <omp.h>

static int over;

int main(void)
{
    int ran = 0;
#pragma omp target map(tofrom : ran) //@ONE
    {
#pragma omp parallel num_threads(1) //@INNER
        ran++;
    }
#pragma omp target data map(ran) //@DATA
    {
#pragma omp target enter data map(to : ran)
#pragma omp target update to(ran)
#pragma omp target exit data map(from : ran)
        ran++;
    } //@PAR
#pragma omp parallel num_threads(2) //@PAR
    {
        // The other thread takes no task.
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp target map(tofrom : ran) nowait depend(inout : ran) //@TWO
            ran++;
#pragma omp target update to(ran) nowait depend(inout : ran)
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 3 ? 0 : 1;
}
