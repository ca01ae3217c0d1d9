// Where the user does not say how many threads a region has, the teams of a league share the
// processors; a clause, a variable or a call says so.
//#ReferenceFails[gcc]:libgomp runs one team after the other, each on all processors
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

enum { TEAMS = 2 };

static void in_team(int expected)
{
    CHECK_EQ(omp_get_max_threads(), expected);
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, expected);
#pragma omp parallel num_threads(3)
#pragma omp single
    CHECK_EQ(omp_get_num_threads(), 3);
}

int main(void)
{
    int all = omp_get_max_threads();
#pragma omp teams num_teams(TEAMS)
    in_team(all >= TEAMS ? all / TEAMS : 1);
    omp_set_num_threads(all);
#pragma omp teams num_teams(TEAMS)
    in_team(all);
    return check_result();
}
