// Simple locks: exclusion, test, hints, destruction and new use of the same variable.
//#Opt:-O0,-O2
//#Threads:1,2,4,8
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 2000, LOCKS = 300 };

static void exclusion(omp_lock_t *lock)
{
    long count = 0, tried = 0;
#pragma omp parallel reduction(+ : tried)
    {
        for (int round = 0; round < ROUNDS; round++) {
            omp_set_lock(lock);
            count++;
            omp_unset_lock(lock);
            if (omp_test_lock(lock)) {
                count++;
                tried++;
                omp_unset_lock(lock);
            }
        }
    }
    CHECK_EQ(count, (long)omp_get_max_threads() * ROUNDS + tried);
    CHECK(omp_get_max_threads() > 1 || tried == ROUNDS);
}

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    exclusion(&lock);
    CHECK(omp_test_lock(&lock));
    CHECK(!omp_test_lock(&lock));
    omp_unset_lock(&lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);

    // libgomp before 13 has no such routine to link with.
#ifdef __clang__
    omp_init_lock_with_hint(&lock, omp_sync_hint_contended);
#else
    omp_init_lock(&lock);
#endif
    exclusion(&lock);
    omp_destroy_lock(&lock);

    // One may unset what another thread set.
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel
    {
        CHECK(!omp_test_lock(&lock));
#pragma omp barrier
#pragma omp masked
        omp_unset_lock(&lock);
    }
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);

    static omp_lock_t many[LOCKS];
    static int held[LOCKS];
    for (int i = 0; i < LOCKS; i++)
        omp_init_lock(&many[i]);
#pragma omp parallel
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < LOCKS; i++) {
            omp_set_lock(&many[i]);
            held[i]++;
            omp_unset_lock(&many[i]);
        }
    for (int i = 0; i < LOCKS; i++) {
        CHECK_EQ(held[i], 20 * omp_get_max_threads());
        omp_destroy_lock(&many[i]);
    }
    return check_result();
}
