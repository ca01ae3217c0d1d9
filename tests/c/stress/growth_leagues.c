// Leagues of other sizes each time, with a region in every team, leave no memory behind. The
// argument is their number.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_WAIT_POLICY=passive
//#Env:KMP_TEAMS_THREAD_LIMIT=64
//#Args:10000
//#Timeout:120
//#NotRecorded:the log would be larger than all others together
//#NoStderr
#include "growth.h"
#include <omp.h>

static void leagues(long count)
{
    for (long i = 0; i < count; i++) {
        int most = 1 + (int)(i % 3), teams = 0, members = 0;
#pragma omp teams num_teams(most) thread_limit(2) reduction(+ : teams, members)
        {
            teams++;
#pragma omp parallel reduction(+ : members) if (i % 4 == 0)
            members++;
        }
        CHECK(teams >= 1 && teams <= most);
        CHECK(members >= teams);
    }
}

int main(int arguments, char **argument)
{
    check_growth(leagues, arguments, argument);
    return check_result();
}
