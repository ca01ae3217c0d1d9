// Target tasks: one that ends with its body, and one whose work goes on after it, told as the switch
// away from it; when the work is done the task is resumed to be complete. Looking after the work tells
// nothing, and a task that depends on it runs when it is done.
//#Compilers:clang
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#Flags:-rdynamic
//#ReferenceFails:libomp runs target tasks on a hidden team
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     task_create task=%here encountering_task=$root exit_frame=none enter_frame=set:application,framepointer flags=target,untied has_dependences=0 codeptr=*
//|     run! $root %here
//|     fork! $p $root none 1 PAR
//|     task! $p %t 1 0
//|     create! %work %t target,untied 1 WORK
//|     dependences task=%work count=1
//|     + dependence variable=$at type=inout
//|     task_schedule prior=%t status=switch next=%work
//|     task_schedule prior=%work status=switch next=%t
//|     create! %after %t explicit 1 AFTER
//|     dependences task=%after count=1
//|     + dependence variable=$at type=inout
//|     task_dependence source=%work sink=%after
//|     taskwait! $p %t WAIT
//|     run! %t %work
//|     run! %t %after
//|     waited! taskwait $p %t WAIT
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
#include <stdint.h>
#include <stdlib.h>

struct dependence {
    intptr_t address;
    size_t length;
    unsigned char kind;
};
extern void *__kmpc_omp_target_task_alloc(void *, int, int, size_t, size_t, int (*)(int, void *),
                                          int64_t);
extern int __kmpc_omp_task_with_deps(void *, int, void *, int, struct dependence *, int, void *);
extern void **__kmpc_omp_get_target_async_handle_ptr(int);

static int ran, looks;

// The work of the task is done at the third look.
void __tgt_target_nowait_query(void **handle)
{
    if (++looks == 3)
        *handle = NULL;
}

static int launch(int gtid, void *task)
{
    *__kmpc_omp_get_target_async_handle_ptr(gtid) = task;
    ran++;
    return 0;
}

int main(void)
{
    int at = 0;
#pragma omp target nowait map(ran)
    ran++;
#pragma omp parallel //@PAR
    {
        struct dependence inout = {(intptr_t)&at, sizeof at, 3};
        void *task = __kmpc_omp_target_task_alloc(NULL, 0, 1, 40, 0, launch, -1);
        __kmpc_omp_task_with_deps(NULL, 0, task, 1, &inout, 0, NULL); //@WORK
#pragma omp task depend(inout : at) //@AFTER
        ran++;
#pragma omp taskwait //@WAIT
    }
    return ran == 3 && looks == 3 ? 0 : 1;
}
