// Every lock routine: what it asks for, gets, and gives back.
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     lock_init kind=lock hint=0 impl=* wait_id=$l codeptr=@INIT
//|     mutex_acquire kind=lock hint=* impl=* wait_id=$l codeptr=@SET
//|     mutex_acquired kind=lock wait_id=$l codeptr=@SET
//|     # A test that fails is asked only.
//|     mutex_acquire kind=test_lock hint=* impl=* wait_id=$l codeptr=@BUSY
//|     mutex_released kind=lock wait_id=$l codeptr=@UNSET
//|     mutex_acquire kind=test_lock hint=* impl=* wait_id=$l codeptr=@TEST
//|     mutex_acquired kind=test_lock wait_id=$l codeptr=@TEST
//|     mutex_released kind=lock wait_id=$l codeptr=@UNSET
//|     lock_destroy kind=lock wait_id=$l codeptr=@DESTROY
//|     lock_init kind=nest_lock hint=0 impl=* wait_id=$n codeptr=@NEST_INIT
//|     mutex_acquire kind=nest_lock hint=* impl=* wait_id=$n codeptr=@NEST_SET
//|     mutex_acquired kind=nest_lock wait_id=$n codeptr=@NEST_SET
//|     mutex_acquire kind=nest_lock hint=* impl=* wait_id=$n codeptr=@NEST_AGAIN
//|     nest_lock endpoint=begin wait_id=$n codeptr=@NEST_AGAIN
//|     mutex_acquire kind=test_nest_lock hint=* impl=* wait_id=$n codeptr=@NEST_TEST
//|     nest_lock endpoint=begin wait_id=$n codeptr=@NEST_TEST
//|     nest_lock endpoint=end wait_id=$n codeptr=@NEST_UNSET
//|     nest_lock endpoint=end wait_id=$n codeptr=@NEST_UNSET
//|     mutex_released kind=nest_lock wait_id=$n codeptr=@NEST_UNSET
//|     mutex_acquire kind=test_nest_lock hint=* impl=* wait_id=$n codeptr=@NEST_TEST
//|     mutex_acquired kind=test_nest_lock wait_id=$n codeptr=@NEST_TEST
//|     mutex_released kind=nest_lock wait_id=$n codeptr=@NEST_UNSET
//|     lock_destroy kind=nest_lock wait_id=$n codeptr=@NEST_DESTROY
//|     finish!
//| }
#include <omp.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;

int main(void)
{
    int sum = 0;
    omp_init_lock(&lock); //@INIT
    omp_set_lock(&lock);  //@SET
    sum += omp_test_lock(&lock); //@BUSY
    omp_unset_lock(&lock);       //@UNSET
    sum += omp_test_lock(&lock); //@TEST
    omp_unset_lock(&lock);       //@UNSET
    omp_destroy_lock(&lock);     //@DESTROY

    omp_init_nest_lock(&nest);            //@NEST_INIT
    omp_set_nest_lock(&nest);             //@NEST_SET
    omp_set_nest_lock(&nest);             //@NEST_AGAIN
    sum += 10 * omp_test_nest_lock(&nest); //@NEST_TEST
    omp_unset_nest_lock(&nest);           //@NEST_UNSET
    omp_unset_nest_lock(&nest);           //@NEST_UNSET
    omp_unset_nest_lock(&nest);           //@NEST_UNSET
    sum += 100 * omp_test_nest_lock(&nest); //@NEST_TEST
    omp_unset_nest_lock(&nest);           //@NEST_UNSET
    omp_destroy_nest_lock(&nest);         //@NEST_DESTROY
    return sum == 131 ? 0 : 1;
}
