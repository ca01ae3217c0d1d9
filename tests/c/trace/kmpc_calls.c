// Lock routines that know their caller's place, a barrier in two halves and a scope, as code that clang
// does not emit calls them.
//#Compilers:clang
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp crashes in some of these calls when a tool is there
//#NoStderr
//#Trace
//| def lock w {
//|     mutex_acquire kind=lock hint=0 impl=* wait_id={w} codeptr=@SET
//|     mutex_acquired kind=lock wait_id={w} codeptr=@SET
//|     mutex_released kind=lock wait_id={w} codeptr=@UNSET
//| }
//| def scope p t {
//|     work type=scope endpoint=begin parallel={p} task={t} count=1 codeptr=@SCOPE
//|     work type=scope endpoint=end parallel={p} task={t} count=1 codeptr=@END_SCOPE
//| }
//| def half p t {
//|     sync_region kind=barrier_implementation endpoint=begin parallel={p} task={t} codeptr=@HALF as arrive:half
//|     sync_region_wait kind=barrier_implementation endpoint=begin parallel={p} task={t} codeptr=@HALF
//|     sync_region_wait kind=barrier_implementation endpoint=end parallel={p} task={t} codeptr=@HALF as past:half
//| }
//| primary {
//|     start!
//|     lock_init kind=lock hint=2 impl=* wait_id=$w codeptr=@INIT
//|     lock_init kind=nest_lock hint=0 impl=* wait_id=$n codeptr=@NEST
//|     mutex_acquire kind=nest_lock hint=0 impl=* wait_id=$n codeptr=@NEST
//|     mutex_acquired kind=nest_lock wait_id=$n codeptr=@NEST
//|     mutex_acquire kind=test_nest_lock hint=0 impl=* wait_id=$n codeptr=@NEST
//|     nest_lock endpoint=begin wait_id=$n codeptr=@NEST
//|     nest_lock endpoint=end wait_id=$n codeptr=@NEST
//|     mutex_released kind=nest_lock wait_id=$n codeptr=@NEST
//|     lock_destroy kind=nest_lock wait_id=$n codeptr=@NEST
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     lock! $w
//|     half! $p %t
//|     sync_region kind=barrier_implementation endpoint=end parallel=$p task=%t codeptr=@END_HALF
//|     scope! $p %t
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     lock_destroy kind=lock wait_id=$w codeptr=@DESTROY
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 1
//|     lock! $w
//|     half! $p %t
//|     sync_region kind=barrier_implementation endpoint=end parallel=$p task=%t codeptr=@HALF
//|     scope! $p %t
//|     worker_task_over! $p %t 1
//|     thread_end thread_data=ok
//| }
//| team! $p
//| order arrive:half < past:half
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

extern void __kmpc_init_lock_with_hint(void *, int, void **, uintptr_t);
extern void __kmpc_destroy_lock(void *, int, void **);
extern void __kmpc_set_lock(void *, int, void **);
extern void __kmpc_unset_lock(void *, int, void **);
extern void __kmpc_init_nest_lock(void *, int, void **);
extern void __kmpc_destroy_nest_lock(void *, int, void **);
extern void __kmpc_set_nest_lock(void *, int, void **);
extern void __kmpc_unset_nest_lock(void *, int, void **);
extern int __kmpc_test_nest_lock(void *, int, void **);
extern int __kmpc_barrier_master(void *, int);
extern void __kmpc_end_barrier_master(void *, int);
extern void __kmpc_scope(void *, int, void *);
extern void __kmpc_end_scope(void *, int, void *);

int main(void)
{
    void *lock, *nest_lock;
    int sum = 0;
    // libomp expects some other call before these.
    if (omp_get_max_threads() != 2)
        return 2;
    __kmpc_init_lock_with_hint(NULL, 0, &lock, omp_sync_hint_contended); //@INIT
    __kmpc_init_nest_lock(NULL, 0, &nest_lock); //@NEST
    __kmpc_set_nest_lock(NULL, 0, &nest_lock); //@NEST
    int count = __kmpc_test_nest_lock(NULL, 0, &nest_lock); //@NEST
    __kmpc_unset_nest_lock(NULL, 0, &nest_lock); //@NEST
    __kmpc_unset_nest_lock(NULL, 0, &nest_lock); //@NEST
    __kmpc_destroy_nest_lock(NULL, 0, &nest_lock); //@NEST
#pragma omp parallel //@PAR
    {
        int gtid = omp_get_thread_num();
        __kmpc_set_lock(NULL, gtid, &lock); //@SET
        sum++;
        __kmpc_unset_lock(NULL, gtid, &lock); //@UNSET
        if (__kmpc_barrier_master(NULL, gtid)) //@HALF
            __kmpc_end_barrier_master(NULL, gtid); //@END_HALF
        __kmpc_scope(NULL, gtid, NULL); //@SCOPE
        __kmpc_end_scope(NULL, gtid, NULL); //@END_SCOPE
    }
    __kmpc_destroy_lock(NULL, 0, &lock); //@DESTROY
    return sum == 2 && count == 2 ? 0 : 1;
}
