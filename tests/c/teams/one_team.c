// Where nobody says how many teams there are, a league has one, whose regions have all processors.
//#ReferenceFails[gcc]:libgomp makes three teams
//#NoStderr
#include "check.h"
#include <omp.h>

static void in_team(int expected)
{
    CHECK_EQ(omp_get_max_threads(), expected);
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, expected);
}

int main(void)
{
    int teams = 0, threads = omp_get_max_threads();
    CHECK_EQ(omp_get_max_teams(), 0);
#pragma omp teams reduction(+ : teams)
    {
        teams++;
        CHECK_EQ(omp_get_num_teams(), 1);
        in_team(threads);
    }
    CHECK_EQ(teams, 1);
    return check_result();
}
