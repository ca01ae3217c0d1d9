// The number of teams without a clause is what OMP_NUM_TEAMS says, or omp_set_num_teams.
//#Env:OMP_NUM_TEAMS=3
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

static int count(void)
{
    int teams = 0;
#pragma omp teams reduction(+ : teams)
    {
        teams++;
        CHECK(omp_get_team_num() < omp_get_num_teams());
    }
    return teams;
}

int main(void)
{
    CHECK_EQ(omp_get_max_teams(), 3);
    CHECK_EQ(count(), 3);
    omp_set_num_teams(5);
    CHECK_EQ(omp_get_max_teams(), 5);
    CHECK_EQ(count(), 5);
    int teams = 0;
#pragma omp teams num_teams(2) reduction(+ : teams)
    teams++;
    CHECK_EQ(teams, 2);
    return check_result();
}
