// The initial tasks of a league inherit the variables of the task that encountered it, and each may
// change its own.
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#ReferenceFails[gcc]:the teams of libgomp have one set of variables
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

static int seen;
#pragma omp threadprivate(seen)

static void in_team(int team)
{
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(omp_get_dynamic(), 0);
    CHECK_EQ(omp_get_max_active_levels(), 2);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind, omp_sched_dynamic);
    CHECK_EQ(chunk, 5);
    omp_set_num_threads(team + 1);
    omp_set_max_active_levels(team);
    omp_set_schedule(omp_sched_guided, team + 1);
    CHECK_EQ(omp_get_max_threads(), team + 1);
    // The league needs its threads.
    CHECK(omp_pause_resource_all(omp_pause_soft) != 0);
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, team == 0 ? 1 : team + 1);
    // A threadprivate variable belongs to the initial thread.
    seen = team;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        CHECK_EQ(seen, team);
}

int main(void)
{
    omp_set_num_threads(3);
    omp_set_dynamic(0);
    omp_set_schedule(omp_sched_dynamic, 5);
    for (int round = 0; round < 10; round++) {
#pragma omp teams num_teams(3)
        in_team(omp_get_team_num());
        CHECK_EQ(omp_get_max_threads(), 3);
        CHECK_EQ(omp_get_max_active_levels(), 2);
        CHECK_EQ(seen, 0);
        if (round % 3 == 0)
            CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    }
    return check_result();
}
