// Reductions over the teams of a league, and over their threads.
//#Opt:-O0,-O2
//#Vary:KMP_DETERMINISTIC_REDUCTION=false|true
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 60, SIZE = 20 };

typedef struct {
    long sum;
    int calls;
} tally;

#pragma omp declare reduction(join : tally : omp_out.sum += omp_in.sum, omp_out.calls              \
                              += omp_in.calls) initializer(omp_priv = (tally){0, 0})

static void teams_only(int teams)
{
    int sum = 100, greatest = -1, least = 1000, all = 1;
    double product = 1;
    long elements[SIZE] = {0};
#pragma omp teams num_teams(teams) reduction(+ : sum, elements) reduction(* : product)             \
    reduction(max : greatest) reduction(min : least) reduction(&& : all)
    {
        int team = omp_get_team_num();
        sum += team + 1;
        product *= 2;
        greatest = team;
        least = team;
        all = all && team >= 0;
        for (int i = 0; i < SIZE; i++)
            elements[i] += i * (team + 1);
    }
    int triangle = teams * (teams + 1) / 2;
    CHECK_EQ(sum, 100 + triangle);
    CHECK(product == (double)(1 << teams));
    CHECK_EQ(greatest, teams - 1);
    CHECK_EQ(least, 0);
    CHECK_EQ(all, 1);
    for (int i = 0; i < SIZE; i++)
        CHECK_EQ(elements[i], (long)i * triangle);
}

static void with_threads(int teams)
{
    tally whole = {0, 0};
    long sum = 0;
#pragma omp teams num_teams(teams) reduction(join : whole) reduction(+ : sum)
    {
#pragma omp parallel num_threads(3) reduction(join : whole) reduction(+ : sum)
        {
            whole.calls++;
            sum++;
            whole.sum += omp_get_thread_num();
        }
    }
    CHECK_EQ(whole.calls, 3 * teams);
    CHECK_EQ(whole.sum, 3 * teams);
    CHECK_EQ(sum, 3 * teams);
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int teams = 1; teams <= 6; teams++) {
            teams_only(teams);
            with_threads(teams);
        }
    return check_result();
}
