// The members of two regions, each in a team of a league, take two locks in opposite order.
//#Verdict:deadlock
//#Says:@WANTS
#include "planted.h"

static omp_lock_t locks[2];

int main(void)
{
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp teams num_teams(2) thread_limit(2) //@TEAMS
#pragma omp parallel num_threads(2) //@REGION
    if (omp_get_thread_num() == 0) {
        int me = omp_get_team_num();
        omp_set_lock(&locks[me]);
        meet(2);
        omp_set_lock(&locks[1 - me]); //@WANTS
        omp_unset_lock(&locks[1 - me]);
        omp_unset_lock(&locks[me]);
    }
    puts("over");
    return 0;
}
