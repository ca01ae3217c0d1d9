// Taskloops: iterations, tasks and their chunks; collapsed, of both directions, undeferred, final,
// strict, untied, and with no iterations.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#Flags:-Wno-sign-compare
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| def chunk t task first count {
//|     task_schedule prior={t} status=switch next={task}
//|     dispatch kind=taskloop_chunk parallel=$p task={task} instance={first}+{count}
//|     task_schedule prior={task} status=complete next={t}
//| }
//| def loop t count at {
//|     sync_region kind=taskgroup endpoint=begin parallel=$p task={t} codeptr=@{at}
//|     work type=taskloop endpoint=begin parallel=$p task={t} count={count} codeptr=@{at}
//| }
//| def made t count at {
//|     work type=taskloop endpoint=end parallel=$p task={t} count={count} codeptr=@{at}
//|     wait! taskgroup $p {t} {at}
//| }
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     # Two loops as one, whose iterations are counted from 0.
//|     loop! %t 6 COLLAPSE
//|     create! %c1 %t explicit 0 COLLAPSE
//|     create! %c2 %t explicit 0 COLLAPSE
//|     made! %t 6 COLLAPSE
//|     chunk! %t %c2 3 3
//|     chunk! %t %c1 0 3
//|     waited! taskgroup $p %t COLLAPSE
//|
//|     loop! %t 5 DOWN
//|     create! %d1 %t explicit 0 DOWN
//|     create! %d2 %t explicit 0 DOWN
//|     create! %d3 %t explicit 0 DOWN
//|     made! %t 5 DOWN
//|     chunk! %t %d3 4 1
//|     chunk! %t %d2 2 2
//|     chunk! %t %d1 0 2
//|     waited! taskgroup $p %t DOWN
//|
//|     # Undeferred: each task runs before the next is made.
//|     loop! %t 4 IF
//|     create! %u1 %t explicit,undeferred 0 IF
//|     chunk! %t %u1 0 2
//|     create! %u2 %t explicit,undeferred 0 IF
//|     chunk! %t %u2 2 2
//|     made! %t 4 IF
//|     waited! taskgroup $p %t IF
//|
//|     # What a final task makes is included; of a loop that is final its tasks are.
//|     loop! %t 2 FINAL
//|     create! %f1 %t explicit,final 0 FINAL
//|     made! %t 2 FINAL
//|     task_schedule prior=%t status=switch next=%f1
//|     dispatch kind=taskloop_chunk parallel=$p task=%f1 instance=0+2
//|     create! %i1 %f1 explicit,undeferred,final 0 INCLUDED
//|     run! %f1 %i1
//|     create! %i2 %f1 explicit,undeferred,final 0 INCLUDED
//|     run! %f1 %i2
//|     task_schedule prior=%f1 status=complete next=%t
//|     waited! taskgroup $p %t FINAL
//|
//|     loop! %t 3 NONE
//|     create! %n1 %t explicit 0 NONE
//|     made! %t 3 NONE
//|     chunk! %t %n1 0 3
//|     waited! taskgroup $p %t NONE
//|
//|     # As many as it says, but for the last.
//|     loop! %t 5 STRICT
//|     # clang does not hand the clause untied down.
//|     gcc: create! %s1 %t explicit,untied 0 STRICT
//|     gcc: create! %s2 %t explicit,untied 0 STRICT
//|     clang: create! %s1 %t explicit 0 STRICT
//|     clang: create! %s2 %t explicit 0 STRICT
//|     made! %t 5 STRICT
//|     chunk! %t %s2 3 2
//|     chunk! %t %s1 0 3
//|     waited! taskgroup $p %t STRICT
//|
//|     loop! %t 0 EMPTY
//|     made! %t 0 EMPTY
//|     waited! taskgroup $p %t EMPTY
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
#include <omp.h>

static int over, ran, none;

int main(void)
{ //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) { //@COLLAPSE
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
#pragma omp taskloop collapse(2) num_tasks(2) //@COLLAPSE
            for (int i = 5; i < 8; i++) //@COLLAPSE
                for (int j = 0; j < 20; j += 10)
                    ran++;
            ran++; //@DOWN
#pragma omp taskloop num_tasks(3) //@DOWN
            for (long i = 100; i > 50; i -= 10) //@DOWN
                ran++;
            ran++; //@IF
#pragma omp taskloop grainsize(2) if (0) //@IF
            for (unsigned i = 1; i < 5; i++) //@IF
                ran++;
            ran++; //@FINAL
#pragma omp taskloop num_tasks(1) final(1) //@FINAL
            for (int i = 0; i < 2; i++) { //@FINAL
                ran++; //@INCLUDED
#pragma omp task //@INCLUDED
                ran++;
            }
            ran++; //@NONE
#pragma omp taskloop grainsize(100) //@NONE
            for (int i = 0; i < 3; i++) //@NONE
                ran++;
            ran++; //@STRICT
#pragma omp taskloop grainsize(strict : 3) untied //@STRICT
            for (int i = 0; i < 5; i++) //@STRICT
                ran++;
            ran++; //@EMPTY
#pragma omp taskloop num_tasks(2) //@EMPTY
            for (int i = 0; i < none; i++) //@EMPTY
                ran++;
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return ran == 33 ? 0 : 1;
}
