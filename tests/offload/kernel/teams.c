// Leagues on the device: as many teams as asked for or fewer, numbers without gaps, and limits kept.
#include "check.h"
#include <omp.h>
#include <string.h>

enum { MOST = 8, THREADS = 3 };

int main(void)
{
    int teams = 0, limit = 0, threads[MOST];
    int seen[MOST];
    for (int wanted = 1; wanted <= MOST; wanted++) {
        memset(seen, 0, sizeof seen);
        memset(threads, 0, sizeof threads);
        teams = 0;
#pragma omp target teams num_teams(wanted) thread_limit(THREADS) map(tofrom : seen, threads, teams, limit)
        {
            int team = omp_get_team_num();
            seen[team]++;
            if (team == 0) {
                teams = omp_get_num_teams();
                limit = omp_get_thread_limit();
            }
#pragma omp parallel num_threads(THREADS + 2)
#pragma omp atomic
            threads[team]++;
        }
        CHECK(teams >= 1 && teams <= wanted);
        CHECK(limit >= 1 && limit <= THREADS);
        for (int team = 0; team < MOST; team++) {
            CHECK_EQ(seen[team], team < teams);
            CHECK(team < teams ? threads[team] >= 1 && threads[team] <= THREADS : threads[team] == 0);
        }
    }

    // Without a teams construct there is one team.
    int number = -1, one = -1;
#pragma omp target map(from : number, one)
    {
        number = omp_get_team_num();
        one = omp_get_num_teams();
    }
    CHECK_EQ(number, 0);
    CHECK_EQ(one, 1);
    return check_result();
}
