// Nest locks: the owner counts, the others wait, the count is what test and set say.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 2000, DEPTH = 5 };

static omp_nest_lock_t lock;
static long count;

static void descend(int depth)
{
    omp_set_nest_lock(&lock);
    count++;
    if (depth > 1)
        descend(depth - 1);
    count++;
    omp_unset_nest_lock(&lock);
}

int main(void)
{
    omp_init_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 4);
    for (int i = 0; i < 4; i++)
        omp_unset_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    omp_unset_nest_lock(&lock);

#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++)
        descend(DEPTH);
    CHECK_EQ(count, 2L * DEPTH * ROUNDS * omp_get_max_threads());

    omp_set_nest_lock(&lock);
#pragma omp parallel
    {
        // Whether the primary thread's implicit task owns it too, implementations disagree.
        if (omp_get_thread_num() != 0)
            CHECK_EQ(omp_test_nest_lock(&lock), 0);
    }
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);

    // libgomp before 13 has no such routine to link with.
#ifdef __clang__
    omp_init_nest_lock_with_hint(&lock, omp_sync_hint_uncontended);
#else
    omp_init_nest_lock(&lock);
#endif
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
    return check_result();
}
