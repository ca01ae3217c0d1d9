// The teams of a league run at the same time, each on a native thread of its own, and have the
// numbers from 0.
//#Opt:-O0,-O2
//#Flags:-D_GNU_SOURCE
//#ReferenceFails[gcc]:libgomp runs the teams one after the other
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TEAMS = 4, ROUNDS = 50 };

static long threads[TEAMS];
static int arrived, visits[TEAMS];

// Waits until all teams are here, for ten seconds at most.
static int meet(void)
{
    __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
    for (int wait = 0; wait < 100000; wait++) {
        if (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) >= TEAMS)
            return 1;
        usleep(100);
    }
    return 0;
}

static void look(int team)
{
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
    CHECK_EQ(omp_get_team_size(1), -1);
    threads[team] = syscall(SYS_gettid);
}

int main(void)
{
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    for (int round = 0; round < ROUNDS; round++) {
        arrived = 0;
#pragma omp teams num_teams(TEAMS)
        {
            int team = omp_get_team_num();
            CHECK_EQ(omp_get_num_teams(), TEAMS);
            CHECK(team >= 0 && team < TEAMS);
            __atomic_fetch_add(&visits[team], 1, __ATOMIC_RELAXED);
            CHECK(meet());
            look(team);
        }
        CHECK_EQ(threads[0], syscall(SYS_gettid));
        for (int team = 0; team < TEAMS; team++)
            for (int other = 0; other < team; other++)
                CHECK(threads[team] != threads[other]);
        CHECK_EQ(omp_get_num_teams(), 1);
        CHECK_EQ(omp_get_team_num(), 0);
        CHECK_EQ(omp_get_level(), 0);
    }
    for (int team = 0; team < TEAMS; team++)
        CHECK_EQ(visits[team], ROUNDS);
    return check_result();
}
