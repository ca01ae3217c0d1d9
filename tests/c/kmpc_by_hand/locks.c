// The lock routines that know their caller's place: the locks are the user's routines' own.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdint.h>

extern void __kmpc_init_lock(void *, int, void **);
extern void __kmpc_init_lock_with_hint(void *, int, void **, uintptr_t);
extern void __kmpc_destroy_lock(void *, int, void **);
extern void __kmpc_set_lock(void *, int, void **);
extern void __kmpc_unset_lock(void *, int, void **);
extern int __kmpc_test_lock(void *, int, void **);
extern void __kmpc_init_nest_lock(void *, int, void **);
extern void __kmpc_init_nest_lock_with_hint(void *, int, void **, uintptr_t);
extern void __kmpc_destroy_nest_lock(void *, int, void **);
extern void __kmpc_set_nest_lock(void *, int, void **);
extern void __kmpc_unset_nest_lock(void *, int, void **);
extern int __kmpc_test_nest_lock(void *, int, void **);
extern int __kmpc_global_thread_num(void *);

enum { ROUNDS = 1000 };

static void simple(void **lock)
{
    long count = 0;
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        for (int round = 0; round < ROUNDS; round++) {
            // Half of the calls are the user's.
            if (round % 2)
                omp_set_lock((omp_lock_t *)lock);
            else if (!__kmpc_test_lock(NULL, gtid, lock))
                __kmpc_set_lock(NULL, gtid, lock);
            count++;
            if (round % 3)
                __kmpc_unset_lock(NULL, gtid, lock);
            else
                omp_unset_lock((omp_lock_t *)lock);
        }
    }
    CHECK_EQ(count, 1L * ROUNDS * omp_get_max_threads());
    __kmpc_set_lock(NULL, 0, lock);
    CHECK_EQ(__kmpc_test_lock(NULL, 0, lock), 0);
    __kmpc_unset_lock(NULL, 0, lock);
}

static void nestable(void **lock)
{
    long count = 0;
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        for (int round = 0; round < ROUNDS; round++) {
            __kmpc_set_nest_lock(NULL, gtid, lock);
            omp_set_nest_lock((omp_nest_lock_t *)lock);
            CHECK_EQ(__kmpc_test_nest_lock(NULL, gtid, lock), 3);
            count++;
            __kmpc_unset_nest_lock(NULL, gtid, lock);
            omp_unset_nest_lock((omp_nest_lock_t *)lock);
            __kmpc_unset_nest_lock(NULL, gtid, lock);
        }
    }
    CHECK_EQ(count, 1L * ROUNDS * omp_get_max_threads());
}

int main(void)
{
    void *lock, *nest_lock;
    CHECK_EQ(__kmpc_global_thread_num(NULL), 0);
    __kmpc_init_lock(NULL, 0, &lock);
    simple(&lock);
    __kmpc_destroy_lock(NULL, 0, &lock);
    __kmpc_init_lock_with_hint(NULL, 0, &lock, omp_sync_hint_contended);
    simple(&lock);
    __kmpc_destroy_lock(NULL, 0, &lock);
    __kmpc_init_nest_lock(NULL, 0, &nest_lock);
    nestable(&nest_lock);
    __kmpc_destroy_nest_lock(NULL, 0, &nest_lock);
    __kmpc_init_nest_lock_with_hint(NULL, 0, &nest_lock, omp_sync_hint_uncontended);
    nestable(&nest_lock);
    __kmpc_destroy_nest_lock(NULL, 0, &nest_lock);
    return check_result();
}
