// Locks misused: one line each with routine and place, however often it happens there, and the program
// goes on.
//#Flags:-g -fno-inline
//#Opt:-O0,-O2
//#Stderr:^OMP: Warning: give_back\+0x[0-9a-f]+ \(\S+\): omp_unset_lock: no thread holds the lock; the call has no effect\n
//#Stderr:\nOMP: Warning: give_back_nest\+0x[0-9a-f]+ \(\S+\): omp_unset_nest_lock: no thread holds the lock; the call has no effect\n
//#Stderr:\nOMP: Warning: destroy_held\+0x[0-9a-f]+ \(\S+\): omp_destroy_lock: the lock is held; it is destroyed all the same\n
//#Stderr:\nOMP: Warning: destroy_held_nest\+0x[0-9a-f]+ \(\S+\): omp_destroy_nest_lock: the lock is held; it is destroyed all the same\n
//#Stderr:\nOMP: Warning: set_destroyed\+0x[0-9a-f]+ \(\S+\): omp_set_lock: the lock has been destroyed; it is taken as free\n
//#Stderr:\nOMP: Warning: set_destroyed_nest\+0x[0-9a-f]+ \(\S+\): omp_set_nest_lock: the lock has been destroyed; it is taken as free\n
//#Stderr:\nOMP: Warning: set_garbage\+0x[0-9a-f]+ \(\S+\): omp_set_lock: the lock is not initialized; it is taken as free\n
//#Stderr:\nOMP: Warning: test_garbage\+0x[0-9a-f]+ \(\S+\): omp_test_lock: the lock is not initialized; it is taken as free\n
//#Stderr:\nOMP: Warning: set_garbage_nest\+0x[0-9a-f]+ \(\S+\): omp_set_nest_lock: the lock is not initialized; it is taken as free\n
//#Stderr:\nOMP: Warning: set_null\+0x[0-9a-f]+ \(\S+\): omp_set_lock: the lock is a null pointer; the call has no effect\n
//#Stderr:\nOMP: Warning: set_null_nest\+0x[0-9a-f]+ \(\S+\): omp_set_nest_lock: the lock is a null pointer; the call has no effect\n$
//#Stderr:^(.*\n){11}$
//#NotRecorded:what is misused has no rules
//#ReferenceFails:libgomp and libomp without its checks say nothing, and hang
#include "check.h"
#include <omp.h>
#include <string.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;

static void give_back(void)
{
    omp_unset_lock(&lock);
    __asm__ volatile("");
}

static void give_back_nest(void)
{
    omp_unset_nest_lock(&nest);
    __asm__ volatile("");
}

static void destroy_held(void)
{
    omp_destroy_lock(&lock);
    __asm__ volatile("");
}

static void destroy_held_nest(void)
{
    omp_destroy_nest_lock(&nest);
    __asm__ volatile("");
}

static void set_destroyed(void)
{
    omp_set_lock(&lock);
    CHECK(!omp_test_lock(&lock));
}

static void set_destroyed_nest(void)
{
    omp_set_nest_lock(&nest);
    CHECK_EQ(omp_test_nest_lock(&nest), 2);
}

static void set_garbage(void)
{
    memset(&lock, 0x5a, sizeof lock);
    omp_set_lock(&lock);
    CHECK(!omp_test_lock(&lock));
    omp_unset_lock(&lock);
}

static void test_garbage(void)
{
    memset(&lock, 0xa5, sizeof lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
}

static void set_garbage_nest(void)
{
    memset(&nest, 0x5a, sizeof nest);
    omp_set_nest_lock(&nest);
    CHECK_EQ(omp_test_nest_lock(&nest), 2);
}

static void set_null(void)
{
    omp_set_lock(NULL);
    __asm__ volatile("");
}

static void set_null_nest(void)
{
    omp_set_nest_lock(NULL);
    __asm__ volatile("");
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int i = 0; i < 100; i++)
        give_back();
    give_back_nest();
    // They are locks still.
    omp_set_lock(&lock);
    CHECK(!omp_test_lock(&lock));
    omp_set_nest_lock(&nest);
    CHECK_EQ(omp_test_nest_lock(&nest), 2);
    destroy_held();
    destroy_held_nest();
    set_destroyed();
    set_destroyed_nest();
    set_garbage();
    test_garbage();
    set_garbage_nest();
    set_null();
    set_null_nest();
    return check_result();
}
