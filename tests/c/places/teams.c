// The initial threads of a league are spread over the places, each with a part of them, in which the
// regions of its team stay; KMP_TEAMS_PROC_BIND chooses another policy.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:KMP_TEAMS_PROC_BIND=spread|close|primary
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=close
//#Env:OMP_NUM_THREADS=2
//#NoStderr
//#ReferenceFails:libomp makes other teams, libgomp leaves them where they are
#include "bound.h"

static const char *policy;

static void in_team(int team)
{
    int is_primary = !strcmp(policy, "primary"), is_spread = !strcmp(policy, "spread");
    int place = is_primary ? 0 : team;
    CHECK_EQ(check_bound(), place);
    CHECK_EQ(omp_get_partition_num_places(), is_spread ? 1 : 2);
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
#pragma omp parallel
    {
        int expected = is_spread ? place : (place + omp_get_thread_num()) % 2;
        CHECK_EQ(check_bound(), expected);
    }
}

int main(void)
{
    policy = getenv("KMP_TEAMS_PROC_BIND");
    for (int round = 0; round < 3; round++) {
#pragma omp teams num_teams(2)
        in_team(omp_get_team_num());
#pragma omp parallel num_threads(2)
        CHECK_EQ(check_bound(), omp_get_thread_num());
        CHECK_EQ(omp_get_partition_num_places(), 2);
    }
    return check_result();
}
