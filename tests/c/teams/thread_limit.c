// Each team has a contention group of its own, with the limit of the construct, of the variables,
// or of the program, whichever is the smallest.
//#Opt:-O2
//#Vary:OMP_TEAMS_THREAD_LIMIT=100|3
//#Vary:OMP_THREAD_LIMIT=200|4
//#Env:OMP_NUM_THREADS=8
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#ReferenceFails:both let the clause exceed OMP_THREAD_LIMIT
#include "check.h"
#include <omp.h>
#include <stdlib.h>

static int number(const char *name)
{
    const char *value = getenv(name);
    return value ? atoi(value) : 0;
}

static int least(int one, int other)
{
    return one < other ? one : other;
}

static void in_team(int limit)
{
    CHECK_EQ(omp_get_thread_limit(), limit);
    // Without a clause a region has no more threads than the team may have.
    int expected = least(8, limit);
    CHECK_EQ(omp_get_max_threads(), expected);
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, expected);
    // The threads of nested regions count together.
    int busy = 0, most = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
    {
        int now;
#pragma omp atomic capture
        now = ++busy;
#pragma omp critical(most)
        if (now > most)
            most = now;
#pragma omp barrier
#pragma omp atomic
        busy--;
    }
    CHECK(most >= 1 && most <= least(6, limit));
}

int main(void)
{
    int program = number("OMP_THREAD_LIMIT"), variable = number("OMP_TEAMS_THREAD_LIMIT");
    CHECK_EQ(omp_get_teams_thread_limit(), variable);
    for (int round = 0; round < 3; round++) {
#pragma omp teams num_teams(2)
        in_team(least(variable, program));
#pragma omp teams num_teams(3) thread_limit(2)
        in_team(2);
#pragma omp teams num_teams(2) thread_limit(1)
        in_team(1);
#pragma omp teams num_teams(2) thread_limit(6)
        in_team(least(6, program));
    }
    omp_set_teams_thread_limit(5);
#pragma omp teams num_teams(2)
    in_team(least(5, program));
    CHECK_EQ(omp_get_thread_limit(), program);
    return check_result();
}
