// Target constructs with nowait: kinds of their own, in target tasks that are deferred and have
// dependences.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libgomp has no tools
//#NoStderr
//#Trace
//| def construct t by kind at {
//|     task_schedule prior={by} status=switch next={t}
//|     target_emi kind={kind} endpoint=begin device=0 task={by} target_task={t} codeptr=@{at}
//| }
//| def over t by kind at {
//|     target_emi kind={kind} endpoint=end device=0 task={by} target_task={t} codeptr=@{at}
//|     task_schedule prior={t} status=complete next={by}
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %enter %t target,untied 1 ENTER
//|     dependences task=%enter count=1
//|     + dependence variable=$at type=inout
//|     create! %region %t target,untied 1 REGION
//|     dependences task=%region count=1
//|     + dependence variable=$at type=inout
//|     task_dependence source=%enter sink=%region
//|     create! %update %t target,untied 1 UPDATE
//|     dependences task=%update count=1
//|     + dependence variable=$at type=inout
//|     task_dependence source=%region sink=%update
//|     create! %exit %t target,untied 1 EXIT
//|     dependences task=%exit count=1
//|     + dependence variable=$at type=inout
//|     task_dependence source=%update sink=%exit
//|     taskwait! $p %t WAIT
//|     construct! %enter %t enter_data_nowait ENTER
//|     over! %enter %t enter_data_nowait ENTER
//|     construct! %region %t nowait REGION
//|     target_submit_emi endpoint=begin teams=1
//|     target_submit_emi endpoint=end teams=1
//|     implicit_task endpoint=begin parallel=$r task=%initial parallelism=1 index=1 flags=initial
//|     implicit_task endpoint=end parallel=null task=%initial parallelism=0 index=1 flags=initial
//|     over! %region %t nowait REGION
//|     construct! %update %t update_nowait UPDATE
//|     over! %update %t update_nowait UPDATE
//|     construct! %exit %t exit_data_nowait EXIT
//|     over! %exit %t exit_data_nowait EXIT
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

static int over;

int main(void)
{
    int at = 0;
#pragma omp parallel num_threads(2) //@PAR
    {
        // The other thread takes no task.
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp target enter data map(to : at) nowait depend(inout : at) //@ENTER
#pragma omp target map(tofrom : at) nowait depend(inout : at) //@REGION
            at++;
#pragma omp target update to(at) nowait depend(inout : at) //@UPDATE
#pragma omp target exit data map(from : at) nowait depend(inout : at) //@EXIT
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return at == 1 ? 0 : 1;
}
