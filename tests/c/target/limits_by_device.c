// OMP_THREAD_LIMIT and its forms for devices decide how many threads target regions have, on the host
// too; OMP_TEAMS_THREAD_LIMIT and its forms do so for teams constructs in them.
//#Compilers:gcc
//#Vary:OMP_THREAD_LIMIT_DEV=20|3
//#Vary:OMP_THREAD_LIMIT=40|8
//#Vary:OMP_TEAMS_THREAD_LIMIT_DEV=25|2
//#Env:OMP_TEAMS_THREAD_LIMIT=7
//#ReferenceFails:libgomp 12 knows no variables for devices
#include "check.h"
#include <omp.h>
#include <stdlib.h>

static int number(const char *name)
{
    return atoi(getenv(name));
}

static int least(int one, int other)
{
    return one < other ? one : other;
}

int main(void)
{
    int program = number("OMP_THREAD_LIMIT"), device = number("OMP_THREAD_LIMIT_DEV");
    int team = number("OMP_TEAMS_THREAD_LIMIT_DEV"), members = 0, limit, teams_limit;
    CHECK_EQ(omp_get_thread_limit(), program);
    CHECK_EQ(omp_get_teams_thread_limit(), 7);
#pragma omp target map(from : limit, teams_limit) map(tofrom : members)
    {
        limit = omp_get_thread_limit();
        teams_limit = omp_get_teams_thread_limit();
#pragma omp parallel num_threads(1000) reduction(+ : members)
        members++;
    }
    CHECK_EQ(limit, device);
    CHECK_EQ(members, device);
    CHECK_EQ(teams_limit, team);
    int of_team = 0;
#pragma omp target teams num_teams(1) map(tofrom : of_team)
    {
        int here = 0;
#pragma omp parallel num_threads(1000) shared(here)
#pragma omp atomic
        here++;
        of_team = here;
    }
    CHECK_EQ(of_team, least(team, device));
    // Outside of target regions the host's variables count.
    of_team = 0;
#pragma omp teams num_teams(1) shared(of_team)
    {
        int here = 0;
#pragma omp parallel num_threads(1000) shared(here)
#pragma omp atomic
        here++;
        of_team = here;
    }
    CHECK_EQ(of_team, least(7, program));
    return check_result();
}
