// The initial task of a target region: outside of all parallel regions, whichever region the construct
// is in, and with a team of its own, whose size is not what the program has set outside.
//#Compilers:gcc
//#Threads:4
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#NoStderr
#include "check.h"
#include <omp.h>

static void is_outside(void)
{
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_team_size(1), -1);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    CHECK(!omp_in_parallel());
    CHECK(!omp_in_final());
    CHECK(omp_is_initial_device());
}

static void region(void)
{
    int members = 0, inner = 0;
#pragma omp target map(tofrom : members, inner)
    {
        is_outside();
        CHECK_EQ(omp_get_max_threads(), 4);
#pragma omp parallel reduction(+ : members, inner)
        {
            members = 1;
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_active_level(), 1);
            CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
#pragma omp parallel num_threads(2) reduction(+ : inner)
            inner++;
        }
        // What the region changes is its own.
        omp_set_num_threads(7);
        omp_set_max_active_levels(1);
    }
    CHECK_EQ(members, 4);
    CHECK_EQ(inner, 8);
}

int main(void)
{
    region();
    omp_set_num_threads(3);
    region();
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(omp_get_max_active_levels(), 2);
#pragma omp parallel num_threads(2)
    {
        omp_set_num_threads(omp_get_thread_num() + 2);
        region();
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_num_threads(), 2);
        // In an explicit task, on whichever thread.
#pragma omp task
        {
            omp_set_num_threads(2);
            region();
            CHECK_EQ(omp_get_num_threads(), 2);
        }
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++)
            region();
    }
    // Tasks of the region are complete at its end.
    int done = 0;
#pragma omp target map(tofrom : done)
    {
#pragma omp parallel num_threads(2)
#pragma omp single nowait
        for (int i = 0; i < 50; i++)
#pragma omp task shared(done)
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
#pragma omp task shared(done)
        __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(done, 51);
    return check_result();
}
