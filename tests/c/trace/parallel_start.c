// The calls of code by gcc before 4.9: the program executes the primary thread's part between two
// calls, the first of which also begins a loop.
//#Compilers:gcc
//#Opt:-O0
//#ReferenceFails:libgomp has no tools interface
//#NoStderr
//#Trace
//| def begin p at {
//|     parallel_begin parallel={p} encountering_task=$root exit_frame=none enter_frame=set:application,framepointer requested=2 flags=invoker_program,team codeptr=@{at} as begin:{p}
//| }
//| def end p at {
//|     parallel_end parallel={p} encountering_task=$root flags=invoker_program,team codeptr=@{at} as end:{p}
//| }
//| primary {
//|     start!
//|     begin! $p BEGIN
//|     task! $p %t 2 0
//|     task_over! $p %t 0 END
//|     end! $p END
//|
//|     begin! $q LOOP
//|     task! $q %u 2 0
//|     work type=loop_dynamic endpoint=begin parallel=$q task=%u count=6 codeptr=@LOOP
//|     dispatch kind=ws_loop_chunk parallel=$q task=%u instance=0+6
//|     work type=loop_dynamic endpoint=end parallel=$q task=%u count=6 codeptr=@NEXT
//|     task_over! $q %u 0 END_LOOP
//|     end! $q END_LOOP
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     worker_task_over! $p %t 1
//|     task! $q %u 2 1
//|     worker_task_over! $q %u 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| team! $q
#include <stdbool.h>
#include <stddef.h>

extern void GOMP_parallel_start(void (*)(void *), void *, unsigned);
extern void GOMP_parallel_loop_dynamic_start(
    void (*)(void *), void *, unsigned, long, long, long, long);
extern bool GOMP_loop_dynamic_next(long *, long *);
extern void GOMP_loop_end_nowait(void);
extern void GOMP_parallel_end(void);

static int threads;

static void part(void *data)
{
    (void)data;
    __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
}

int main(void)
{
    GOMP_parallel_start(part, NULL, 2); //@BEGIN
    part(NULL);
    GOMP_parallel_end(); //@END

    GOMP_parallel_loop_dynamic_start(part, NULL, 2, 0, 6, 1, 6); //@LOOP
    part(NULL);
    long first, end, iterations = 0;
    while (GOMP_loop_dynamic_next(&first, &end)) //@NEXT
        iterations += end - first;
    GOMP_loop_end_nowait();
    GOMP_parallel_end(); //@END_LOOP
    return threads == 4 && iterations == 6 ? 0 : 1;
}
