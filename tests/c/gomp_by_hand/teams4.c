// The calls for a teams construct inside a target region that gcc's code executes on the host: the
// caller executes the code of one team after the other, and each is a team of its own league.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=3
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#ReferenceFails:libgomp keeps the thread limit, and expects a target region
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdbool.h>

extern bool GOMP_teams4(unsigned, unsigned, unsigned, bool);
extern void GOMP_teams(unsigned, unsigned);

static void league(unsigned lower, unsigned upper, unsigned limit, int expected)
{
    int teams = 0, threads = 0, tasks = 0, level = omp_get_level();
    bool goes_on = GOMP_teams4(lower, upper, limit, true);
    while (goes_on) {
        CHECK_EQ(omp_get_num_teams(), expected);
        CHECK_EQ(omp_get_team_num(), teams);
        CHECK_EQ(omp_get_level(), level);
        CHECK_EQ(omp_get_num_threads(), 1);
        if (limit)
            CHECK_EQ(omp_get_thread_limit(), (int)limit);
        teams++;
#pragma omp task shared(tasks)
        tasks++;
#pragma omp parallel reduction(+ : threads)
        threads++;
        goes_on = GOMP_teams4(lower, upper, limit, false);
    }
    CHECK_EQ(teams, expected);
    CHECK_EQ(tasks, expected);
    CHECK_EQ(threads, expected * (limit == 2 ? 2 : 3));
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    CHECK_EQ(omp_get_level(), level);
}

int main(void)
{
    // There is no league that could go on.
    CHECK_EQ(GOMP_teams4(3, 3, 0, false), false);
    for (int round = 0; round < 5; round++) {
        league(1, 1, 0, 1);
        league(4, 4, 0, 4);
        league(3, 3, 2, 3);
        league(0, 0, 0, 1);
#pragma omp parallel num_threads(2)
        {
            CHECK_EQ(omp_get_num_teams(), 1);
            league(2, 2, 0, 2);
        }
    }
    CHECK(omp_get_thread_limit() > 2);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        GOMP_teams(5, 2);
        CHECK_EQ(omp_get_thread_limit(), 2);
        GOMP_teams(5, 0);
        CHECK_EQ(omp_get_thread_limit(), 2);
        CHECK_EQ(omp_get_num_teams(), 1);
    }
    CHECK(omp_get_thread_limit() > 2);
    return check_result();
}
