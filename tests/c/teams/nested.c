// Parallel regions in the teams of a league: levels, numbers, barriers, and critical regions, which
// all teams share.
//#Opt:-O0,-O2
//#ReferenceFails:libomp makes no more teams than there are processors; libgomp's are not concurrent
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#NoStderr
#include "check.h"
#include <omp.h>

enum { TEAMS = 3, THREADS = 3, ROUNDS = 30 };

static int in_team[TEAMS], at_barrier[TEAMS], in_critical;

static void inner(int team)
{
    CHECK_EQ(omp_get_level(), 2);
    CHECK_EQ(omp_get_active_level(), 2);
    CHECK_EQ(omp_get_num_threads(), 2);
    CHECK_EQ(omp_get_team_num(), team);
    CHECK_EQ(omp_get_team_size(1), THREADS);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
}

static void outer(int team)
{
#pragma omp parallel num_threads(THREADS)
    {
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_active_level(), 1);
        CHECK_EQ(omp_in_parallel(), 1);
        CHECK_EQ(omp_get_num_threads(), THREADS);
        CHECK_EQ(omp_get_team_num(), team);
        CHECK_EQ(omp_get_num_teams(), TEAMS);
        CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
        CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
        CHECK_EQ(omp_get_team_size(0), 1);
        CHECK_EQ(omp_get_team_size(1), THREADS);
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp atomic
            at_barrier[team]++;
#pragma omp barrier
            // All threads of this team are here, and no other team matters.
            CHECK_EQ(at_barrier[team], THREADS * (round + 1));
#pragma omp barrier
#pragma omp critical
            in_critical++;
#pragma omp single
            in_team[team]++;
        }
#pragma omp parallel num_threads(2)
        inner(team);
    }
    CHECK_EQ(omp_get_level(), 0);
}

int main(void)
{
    // In turn with other regions, of other sizes, for which the same threads work.
    for (int turn = 1; turn <= 4; turn++) {
        for (int team = 0; team < TEAMS; team++)
            at_barrier[team] = 0;
#pragma omp teams num_teams(TEAMS)
        outer(omp_get_team_num());
        CHECK_EQ(in_critical, turn * TEAMS * THREADS * ROUNDS);
        for (int team = 0; team < TEAMS; team++)
            CHECK_EQ(in_team[team], turn * ROUNDS);
        int members = 0;
#pragma omp parallel num_threads(turn) reduction(+ : members)
        {
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_num_teams(), 1);
            CHECK_EQ(omp_get_team_num(), 0);
            members++;
        }
        CHECK_EQ(members, turn);
    }
    return check_result();
}
