// Leagues of random shapes: distribute with every schedule, the composite loops, regions and
// reductions within teams, numbers and limits. Each iteration runs once, each team has its own
// number, and sums are those of a sequential run. Arguments: the number of leagues, the first seed;
// a failure names the seed of the league.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Env:KMP_TEAMS_THREAD_LIMIT=64
//#Env:KMP_WARNINGS=0
//#Args:400
//#Flags[clang]:-Wno-pass-failed
//#ReferenceFails[clang]:libomp counts the teams of a league as threads of one team
//#Timeout:120
//#NoStderr
#include "check.h"
#include "draw.h"
#include <omp.h>
#include <stdlib.h>

enum { MOST = 300, MAX_TEAMS = 6, MAX_THREADS = 4 };

static void count(int *what)
{
#pragma omp atomic
    (*what)++;
}

// The shape of a league, and what its iterations have done.
struct league {
    int teams, limit, n, chunk, seen[MOST], of_team[MAX_TEAMS];
};

// In an initial thread of a league.
static void check_team(struct league *league)
{
    int team = omp_get_team_num(), teams = omp_get_num_teams();
    CHECK(team >= 0 && team < teams);
    CHECK(teams >= 1 && teams <= league->teams);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK(!omp_in_parallel());
    CHECK(omp_get_thread_limit() <= league->limit);
    if (team >= 0 && team < league->teams)
        count(&league->of_team[team]);
}

static void check_each_once(const struct league *league)
{
    for (int i = 0; i < league->n; i++)
        CHECK_EQ(league->seen[i], 1);
}

static long sum_below(long n)
{
    return n * (n - 1) / 2;
}

// A loop of the league is followed by one of its teams, and by a region in each.
static void distributed(struct league *league, unsigned long *state)
{
    int kind = below(state, 4), threads = 1 + below(state, MAX_THREADS), teams = 0;
    long of_regions = 0, wanted = 0;
#pragma omp teams num_teams(league->teams) thread_limit(league->limit)                            \
    reduction(+ : of_regions, wanted) reduction(max : teams)
    {
        teams = omp_get_num_teams();
        check_team(league);
        if (kind == 0) {
#pragma omp distribute
            for (int i = 0; i < league->n; i++)
                count(&league->seen[i]);
        } else if (kind == 1) {
#pragma omp distribute dist_schedule(static, league->chunk)
            for (long i = league->n - 1; i >= 0; i--)
                count(&league->seen[i]);
        } else if (kind == 2) {
#pragma omp distribute collapse(2) dist_schedule(static)
            for (int i = 0; i < league->n / 10; i++)
                for (int j = 0; j < 10; j++)
                    count(&league->seen[10 * i + j]);
        } else {
#pragma omp distribute dist_schedule(static, 1)
            for (unsigned long i = 0; i < (unsigned long)league->n; i++)
                count(&league->seen[i]);
        }
        int size = 0;
        long mine = 0;
#pragma omp parallel num_threads(threads) reduction(+ : mine)
        {
            CHECK_EQ(omp_get_level(), 1);
            CHECK(omp_get_num_threads() <= league->limit);
            CHECK_EQ(omp_get_num_teams(), teams);
#pragma omp single
            size = omp_get_num_threads();
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < league->n; i++)
                mine += i;
#pragma omp single
#pragma omp task shared(size)
            CHECK(size <= threads);
        }
        of_regions += mine;
        wanted += sum_below(league->n);
        CHECK(size >= 1);
    }
    CHECK_EQ(of_regions, wanted);
    CHECK_EQ(wanted, teams * sum_below(league->n));
    for (int i = 0; i < league->teams; i++)
        CHECK_EQ(league->of_team[i], i < teams);
}

// Each iteration of a composite loop runs once in some thread of some team.
#define ITERATION(i)                                                                               \
    count(&league->seen[i]);                                                                       \
    sum += (i);                                                                                    \
    last = (long)(i) > last ? (long)(i) : last;

static void composite(struct league *league, unsigned long *state)
{
    long sum = 0, last = -1;
    int threads = 1 + below(state, MAX_THREADS), n = league->n, chunk = league->chunk;
    switch (below(state, 6)) {
    case 0:
#pragma omp teams distribute parallel for num_teams(league->teams) thread_limit(league->limit)    \
    num_threads(threads) reduction(+ : sum) reduction(max : last)
        for (int i = 0; i < n; i++) {
            ITERATION(i)
        }
        break;
    case 1:
#pragma omp teams distribute parallel for num_teams(league->teams) thread_limit(league->limit)    \
    num_threads(threads) reduction(+ : sum) reduction(max : last) schedule(dynamic, chunk)        \
    dist_schedule(static, 7 * chunk)
        for (int i = n - 1; i >= 0; i--) {
            ITERATION(i)
        }
        break;
    case 2:
#pragma omp teams distribute parallel for num_teams(league->teams) thread_limit(league->limit)    \
    num_threads(threads) reduction(+ : sum) reduction(max : last) schedule(guided)
        for (unsigned long i = 0; i < (unsigned long)n; i++) {
            ITERATION(i)
        }
        break;
    case 3:
#pragma omp teams distribute parallel for num_teams(league->teams) thread_limit(league->limit)    \
    num_threads(threads) reduction(+ : sum) reduction(max : last) schedule(static, chunk)         \
    dist_schedule(static, chunk)
        for (long i = 0; i < n; i++) {
            ITERATION(i)
        }
        break;
    case 4:
#pragma omp teams distribute parallel for simd num_teams(league->teams)                           \
    thread_limit(league->limit) num_threads(threads) reduction(+ : sum) reduction(max : last)
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            league->seen[i]++;
            sum += i;
            last = i > last ? i : last;
        }
        break;
    default:
#pragma omp teams num_teams(league->teams) thread_limit(league->limit) reduction(+ : sum)         \
    reduction(max : last)
#pragma omp distribute parallel for collapse(2) num_threads(threads) schedule(runtime)            \
    reduction(+ : sum) reduction(max : last)
        for (int i = 0; i < n / 10; i++)
            for (int j = 0; j < 10; j++) {
                ITERATION(10 * i + j)
            }
    }
    CHECK_EQ(sum, sum_below(n));
    CHECK_EQ(last, n - 1);
}

// The number of teams lies within the clause's bounds; clang 22 knows no lower one.
#ifdef __clang__
#define BETWEEN(least, most) most
#else
#define BETWEEN(least, most) least:most
#endif

static void bounded(struct league *league, unsigned long *state)
{
    int met = 0, teams = 0, least = 1 + below(state, league->teams);
    CHECK(least <= league->teams);
#pragma omp teams num_teams(BETWEEN(least, league->teams)) thread_limit(league->limit)            \
    reduction(+ : met) reduction(max : teams)
    {
        check_team(league);
        met++;
        teams = omp_get_num_teams();
#pragma omp distribute
        for (int i = 0; i < league->n; i++)
            count(&league->seen[i]);
    }
    CHECK_EQ(met, teams);
#ifndef __clang__
    CHECK(teams >= least);
#endif
    CHECK(teams <= league->teams);
}

static void run(unsigned long seed)
{
    unsigned long state = seed;
    int before = check_failures;
    struct league league = {.teams = 1 + below(&state, MAX_TEAMS),
                            .limit = 1 + below(&state, MAX_THREADS),
                            .n = 10 * below(&state, MOST / 10),
                            .chunk = 1 + below(&state, 9)};
    switch (below(&state, 5)) {
    case 0:
    case 1:
        distributed(&league, &state);
        break;
    case 2:
        bounded(&league, &state);
        break;
    default:
        composite(&league, &state);
    }
    check_each_once(&league);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    if (check_failures != before)
        fprintf(stderr, "the league of seed %lu is wrong\n", seed);
}

int main(int arguments, char **argument)
{
    int leagues = arguments > 1 ? atoi(argument[1]) : 400;
    unsigned long seed = arguments > 2 ? strtoul(argument[2], NULL, 0) : 1;
    omp_set_dynamic(0);
    for (int i = 0; i < leagues; i++)
        run(seed + (unsigned long)i);
    return check_result();
}
