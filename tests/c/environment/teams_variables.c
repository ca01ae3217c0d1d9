// nteams-var and teams-thread-limit-var: from the environment, by routines, for the whole device.
//#Vary:OMP_NUM_TEAMS=5|2
//#Vary:OMP_TEAMS_THREAD_LIMIT=7|1
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    CHECK_EQ(omp_get_max_teams(), atoi(getenv("OMP_NUM_TEAMS")));
    CHECK_EQ(omp_get_teams_thread_limit(), atoi(getenv("OMP_TEAMS_THREAD_LIMIT")));
    omp_set_num_teams(4);
    omp_set_teams_thread_limit(6);
    CHECK_EQ(omp_get_max_teams(), 4);
    CHECK_EQ(omp_get_teams_thread_limit(), 6);
    omp_set_num_teams(-3);
    omp_set_teams_thread_limit(-3);
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_max_teams(), 4);
        CHECK_EQ(omp_get_teams_thread_limit(), 6);
    }
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    return check_result();
}
