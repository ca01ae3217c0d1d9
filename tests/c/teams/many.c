// A league of far more teams than threads: every team runs once, with its tasks and regions.
//#Opt:-O2
//#Vary:KMP_TEAMS_THREAD_LIMIT=80|3
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NotRecorded:more initial tasks than a log holds
//#Timeout:60
//#Stderr:^(OMP: Warning: [^\n]* limit of 1; the team has 1 [^\n]*\n)?$
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { TEAMS = 20000 };

static unsigned char runs[TEAMS], tasks[TEAMS], threads[TEAMS];

static void task(int team)
{
#pragma omp task firstprivate(team)
    tasks[team]++;
}

int main(void)
{
#pragma omp teams num_teams(TEAMS)
    {
        int team = omp_get_team_num();
        if (omp_get_num_teams() != TEAMS || team < 0 || team >= TEAMS)
            abort();
        runs[team]++;
        task(team);
        if (team % 100 == 0) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
            threads[team]++;
        }
    }
    int wrong = 0;
    for (int team = 0; team < TEAMS; team++) {
        wrong += runs[team] != 1 || tasks[team] != 1;
        if (team % 100 == 0)
            wrong += threads[team] < 1 || threads[team] > 2;
    }
    CHECK_EQ(wrong, 0);
    return check_result();
}
