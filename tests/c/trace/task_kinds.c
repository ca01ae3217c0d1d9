// A task of every kind: its flags, and the switches to it and back. The other thread is kept away.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %tied %t explicit 0 TIED
//|     taskwait! $p %t WAIT
//|     run! %t %tied
//|     waited! taskwait $p %t WAIT
//|
//|     create! %untied %t explicit,untied 0 UNTIED
//|     taskwait! $p %t WAIT
//|     run! %t %untied
//|     waited! taskwait $p %t WAIT
//|
//|     # clang does not hand the clause down.
//|     gcc: create! %mergeable %t explicit,mergeable 0 MERGEABLE
//|     clang: create! %mergeable %t explicit 0 MERGEABLE
//|     taskwait! $p %t WAIT
//|     run! %t %mergeable
//|     waited! taskwait $p %t WAIT
//|
//|     create! %undeferred %t explicit,undeferred 0 IF
//|     run! %t %undeferred
//|
//|     create! %final %t explicit,final 0 FINAL
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=%final
//|     create! %included %final explicit,undeferred,final 0 INCLUDED
//|     run! %final %included
//|     task_schedule prior=%final status=complete next=%t
//|     waited! taskwait $p %t WAIT
//|
//|     create! %one %t explicit 0 PRIORITY
//|     create! %two %t explicit 0 PRIORITY
//|     task_schedule prior=%t status=yield next=%two
//|     task_schedule prior=%two status=complete next=%t
//|     taskwait! $p %t WAIT
//|     run! %t %one
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
#pragma omp parallel //@PAR PRIORITY
    {
        if (omp_get_thread_num() != 0) { //@TIED
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp task //@TIED
            ran++;
#pragma omp taskwait //@WAIT UNTIED
#pragma omp task untied //@UNTIED
            ran++;
#pragma omp taskwait //@WAIT MERGEABLE
#pragma omp task mergeable //@MERGEABLE
            ran++;
#pragma omp taskwait //@WAIT IF FINAL
#pragma omp task if (0) //@IF
            ran++; //@IFBODY
#pragma omp task final(1) //@FINAL INCLUDED
            {
#pragma omp task //@INCLUDED
                ran++;
            }
#pragma omp taskwait //@WAIT
            for (int i = 0; i < 2; i++) {
#pragma omp task priority(3) //@PRIORITY
                ran++;
            }
#pragma omp taskyield //@YIELD
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 7 ? 0 : 1;
}
