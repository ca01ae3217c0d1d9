// Each kind of mutex while another thread has it: its wait is told in the state of the wait, and
// only where the thread waits.
//#Env:OMP_NUM_THREADS=2
//#Vary:OMP_WAIT_POLICY=active|passive
//#Opt:-O0
//#Repeat:3
//#Trace
//| primary {
//|     start!
//|     init_lock wait_id=$lock hint=0 type=*
//|     init_nest_lock wait_id=$nest hint=0 type=*
//|     fork! $p $root null 2 PAR
//|     task! $p %t
//|     acquired_lock wait_id=$lock
//|     barrier! $p %t ONE
//|     release_lock wait_id=$lock
//|     barrier! $p %t ONE_OVER
//|
//|     acquired_nest_lock_first wait_id=$nest
//|     acquired_nest_lock_next wait_id=$nest
//|     barrier! $p %t TWO
//|     release_nest_lock_prev wait_id=$nest
//|     release_nest_lock_last wait_id=$nest
//|     barrier! $p %t TWO_OVER
//|
//|     acquired_critical wait_id=$unnamed
//|     release_critical wait_id=$unnamed
//|     barrier! $p %t THREE_OVER
//|
//|     acquired_critical wait_id=$hinted
//|     release_critical wait_id=$hinted
//|     barrier! $p %t FOUR_OVER
//|
//|     acquired_atomic wait_id=$atomic
//|     release_atomic wait_id=$atomic
//|     task_over! $p %t @PAR
//|     join! $p $root
//|     destroy_lock wait_id=$lock
//|     destroy_nest_lock wait_id=$nest
//|     finish!
//| }
//| worker 1 {
//|     worker_start!
//|     work! $p %t
//|     barrier! $p %t ONE
//|     wait_lock wait_id=$lock state=wait_lock wait=$lock
//|     acquired_lock wait_id=$lock
//|     release_lock wait_id=$lock
//|     barrier! $p %t ONE_OVER
//|
//|     barrier! $p %t TWO
//|     wait_nest_lock wait_id=$nest state=wait_nest_lock wait=$nest
//|     acquired_nest_lock_first wait_id=$nest
//|     release_nest_lock_last wait_id=$nest
//|     barrier! $p %t TWO_OVER
//|
//|     wait_critical wait_id=$unnamed hint=0 type=* state=wait_critical wait=$unnamed
//|     acquired_critical wait_id=$unnamed
//|     release_critical wait_id=$unnamed
//|     barrier! $p %t THREE_OVER
//|
//|     # GCC keeps the hint to itself.
//|     gcc: wait_critical wait_id=$hinted hint=0 type=* state=wait_critical wait=$hinted
//|     clang: wait_critical wait_id=$hinted hint=2 type=* state=wait_critical wait=$hinted
//|     acquired_critical wait_id=$hinted
//|     release_critical wait_id=$hinted
//|     barrier! $p %t FOUR_OVER
//|
//|     wait_atomic wait_id=$atomic type=* state=wait_atomic wait=$atomic
//|     acquired_atomic wait_id=$atomic
//|     release_atomic wait_id=$atomic
//|     work_over! $p %t @PAR
//|     worker_finish!
//| }
//| team! $p
//| meet! ONE
//| meet! TWO
#include "waits.h"
#include <omp.h>

// What compilers call for atomics that no instruction does.
#ifdef __clang__
extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);
#define ATOMIC_START __kmpc_atomic_start
#define ATOMIC_END __kmpc_atomic_end
#else
extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);
#define ATOMIC_START GOMP_atomic_start
#define ATOMIC_END GOMP_atomic_end
#endif

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int inside[3], sum;

// The primary thread is inside and stays until the other one waits; that comes once it is inside.
static void enter(int which, unsigned waits)
{
    sum++;
    if (omp_get_thread_num() == 0) {
        __atomic_store_n(&inside[which], 1, __ATOMIC_RELEASE);
        until_waits(waits);
    }
}

static void come(int which)
{
    while (omp_get_thread_num() != 0 && !__atomic_load_n(&inside[which], __ATOMIC_ACQUIRE))
        usleep(100);
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest); //@PAR
#pragma omp parallel //@PAR
    {
        int is_primary = omp_get_thread_num() == 0;
        if (is_primary)
            omp_set_lock(&lock);
#pragma omp barrier //@ONE
        if (is_primary)
            until_waits(1);
        else
            omp_set_lock(&lock);
        omp_unset_lock(&lock);
#pragma omp barrier //@ONE_OVER
        if (is_primary) {
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
        }
#pragma omp barrier //@TWO
        if (is_primary) {
            until_waits(2);
            omp_unset_nest_lock(&nest);
        } else {
            omp_set_nest_lock(&nest);
        }
        omp_unset_nest_lock(&nest);
#pragma omp barrier //@TWO_OVER
        come(0);
#pragma omp critical
        enter(0, 3);
#pragma omp barrier //@THREE_OVER
        come(1);
#pragma omp critical(hinted) hint(omp_sync_hint_contended)
        enter(1, 4);
#pragma omp barrier //@FOUR_OVER
        come(2);
        ATOMIC_START();
        enter(2, 5);
        ATOMIC_END();
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return sum == 6 ? 0 : 1;
}
