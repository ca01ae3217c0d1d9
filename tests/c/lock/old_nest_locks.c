// A nestable lock belongs to the task that has set it, one of OpenMP 2.5 to the thread: programs
// that old compilers linked ask for the routines of another version.
//#Compilers:gcc
//#Threads:2,4
//#NoStderr
#include "check.h"
#include <omp.h>

typedef struct {
    int owner, count;
} old_nest_lock;

extern void old_init(old_nest_lock *);
extern void old_destroy(old_nest_lock *);
extern void old_set(old_nest_lock *);
extern void old_unset(old_nest_lock *);
extern int old_test(old_nest_lock *);
extern void old_set_fortran(old_nest_lock *);
extern int old_test_fortran(old_nest_lock *);
__asm__(".symver old_init, omp_init_nest_lock@OMP_1.0\n"
        ".symver old_destroy, omp_destroy_nest_lock@OMP_1.0\n"
        ".symver old_set, omp_set_nest_lock@OMP_1.0\n"
        ".symver old_unset, omp_unset_nest_lock@OMP_1.0\n"
        ".symver old_test, omp_test_nest_lock@OMP_1.0\n"
        ".symver old_set_fortran, omp_set_nest_lock_@OMP_1.0\n"
        ".symver old_test_fortran, omp_test_nest_lock_@OMP_1.0\n");

typedef struct {
    unsigned word;
} old_lock;

extern void old_init_simple(old_lock *);
extern void old_set_simple(old_lock *);
extern void old_unset_simple(old_lock *);
extern int old_test_simple(old_lock *);
__asm__(".symver old_init_simple, omp_init_lock@OMP_1.0\n"
        ".symver old_set_simple, omp_set_lock@OMP_1.0\n"
        ".symver old_unset_simple, omp_unset_lock@OMP_1.0\n"
        ".symver old_test_simple, omp_test_lock@OMP_1.0\n");

static void owners(void)
{
    // What lies beside a lock is not the routines'.
    struct {
        old_nest_lock lock;
        long next;
    } old = {.next = 0x1234567812345678};
    omp_nest_lock_t lock;
    old_init(&old.lock);
    omp_init_nest_lock(&lock);
    for (int round = 0; round < 100; round++) {
        old_set(&old.lock);
        CHECK_EQ(old_test(&old.lock), 2);
        old_set_fortran(&old.lock);
        CHECK_EQ(old_test_fortran(&old.lock), 4);
        omp_set_nest_lock(&lock);
        CHECK_EQ(omp_test_nest_lock(&lock), 2);
        int old_by_primary = 0, by_primary = 0;
#pragma omp parallel
        {
            int had_old = old_test(&old.lock), had = omp_test_nest_lock(&lock);
            if (omp_get_thread_num() == 0) {
                old_by_primary = had_old;
                by_primary = had;
                if (had_old)
                    old_unset(&old.lock);
            } else {
                CHECK_EQ(had_old, 0);
                CHECK_EQ(had, 0);
            }
        }
        // The same thread, but another task.
        CHECK_EQ(old_by_primary, 5);
        CHECK_EQ(by_primary, 0);
        for (int i = 0; i < 4; i++)
            old_unset(&old.lock);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        CHECK_EQ(old_test(&old.lock), 1);
        old_unset(&old.lock);
    }
    old_destroy(&old.lock);
    omp_destroy_nest_lock(&lock);
    CHECK_EQ(old.next, 0x1234567812345678);
}

static void exclusion(void)
{
    enum { ROUNDS = 1000 };
    old_nest_lock nest;
    struct {
        old_lock simple;
        unsigned next;
    } beside = {.next = 0x12345678};
    long in_nest = 0, in_simple = 0;
    old_init(&nest);
    old_init_simple(&beside.simple);
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
        old_set(&nest);
        in_nest++;
        old_set(&nest);
        in_nest++;
        old_unset(&nest);
        old_unset(&nest);
        if (!old_test_simple(&beside.simple))
            old_set_simple(&beside.simple);
        in_simple++;
        old_unset_simple(&beside.simple);
    }
    CHECK_EQ(in_nest, 2L * ROUNDS * omp_get_max_threads());
    CHECK_EQ(in_simple, 1L * ROUNDS * omp_get_max_threads());
    CHECK_EQ(beside.next, 0x12345678);
    old_destroy(&nest);
}

int main(void)
{
    owners();
    exclusion();
    return check_result();
}
