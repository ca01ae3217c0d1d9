// Explicit tasks of an initial task belong to its team: they run there, and are complete when the
// league is over.
//#Opt:-O0,-O2
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

enum { TEAMS = 4, TASKS = 100, ROUNDS = 20 };

static int made[TEAMS], wrong_team, chain[TEAMS];

static void one(int team)
{
    if (omp_get_team_num() != team || omp_get_num_threads() != 1)
        __atomic_fetch_add(&wrong_team, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&made[team], 1, __ATOMIC_RELAXED);
}

static void generate(int team)
{
    for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(team)
        one(team);
    }
    int value = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : value) shared(value)
        value++;
    }
#pragma omp taskwait
    CHECK_EQ(value, 10);
    chain[team] += value;
#pragma omp taskgroup
    {
#pragma omp taskloop grainsize(3)
        for (int i = 0; i < 20; i++)
            __atomic_fetch_add(&chain[team], 1, __ATOMIC_RELAXED);
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task
            __atomic_fetch_add(&chain[team], 1, __ATOMIC_RELAXED);
        }
    }
    // Nobody waits for these but the end of the league.
    for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(team)
        one(team);
    }
}

int main(void)
{
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp teams num_teams(TEAMS)
        generate(omp_get_team_num());
        for (int team = 0; team < TEAMS; team++) {
            CHECK_EQ(made[team], round * 2 * TASKS);
            CHECK_EQ(chain[team], round * 40);
        }
    }
    CHECK_EQ(wrong_team, 0);
    return check_result();
}
