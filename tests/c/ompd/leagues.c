// Leagues and parallel regions, to be counted by a debugger that stops at their begins and ends.
//#Vary:OMP_DEBUG=disabled|enabled
//#Stdout:leagues=3 teams=6
//#NoStderr
#include "check.h"
#include <omp.h>

static int leagues, teams;

static void league(int size)
{
    leagues++;
#pragma omp teams num_teams(size) thread_limit(1)
    __atomic_fetch_add(&teams, 1, __ATOMIC_RELAXED);
}

int main(void)
{
    for (int size = 1; size <= 3; size++)
        league(size);
#pragma omp parallel num_threads(2)
    CHECK_EQ(omp_get_num_threads(), 2);
    printf("leagues=%d teams=%d\n", leagues, teams);
    return check_result();
}
