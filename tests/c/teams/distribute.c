// A distribute loop executes each iteration once, and each team a contiguous part, or chunks in
// turn.
//#Opt:-O0,-O2
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <string.h>

enum { MOST = 1000 };

static int team_of[MOST], hits[MOST];

static void clear(void)
{
    memset(hits, 0, sizeof hits);
}

static void check_hits(int length)
{
    for (int i = 0; i < MOST; i++)
        CHECK_EQ(hits[i], i < length);
}

static void visit(int i, int team)
{
#pragma omp atomic
    hits[i]++;
    team_of[i] = team;
}

static void blocks(int teams, int length)
{
    clear();
#pragma omp teams num_teams(teams)
#pragma omp distribute
    for (int i = 0; i < length; i++)
        visit(i, omp_get_team_num());
    check_hits(length);
    for (int i = 1; i < length; i++)
        CHECK(team_of[i] >= team_of[i - 1]);
}

static void chunks(int teams, int length, int chunk)
{
    clear();
#pragma omp teams num_teams(teams)
#pragma omp distribute dist_schedule(static, chunk)
    for (int i = 0; i < length; i++)
        visit(i, omp_get_team_num());
    check_hits(length);
    for (int i = 0; i < length; i++)
        CHECK_EQ(team_of[i], i / chunk % teams);
}

// Loops of other types, steps and directions, at the ends of their types.
static void types(int teams)
{
    int count = 0;
#pragma omp teams distribute num_teams(teams) reduction(+ : count)
    for (unsigned i = UINT_MAX - 100; i < UINT_MAX; i++)
        count++;
    CHECK_EQ(count, 100);
    count = 0;
#pragma omp teams distribute num_teams(teams) reduction(+ : count)
    for (int i = INT_MIN + 70; i > INT_MIN; i -= 7)
        count++;
    CHECK_EQ(count, 10);
    long sum = 0;
#pragma omp teams distribute num_teams(teams) dist_schedule(static, 3) reduction(+ : sum)
    for (long i = LONG_MAX - 250; i < LONG_MAX - 200; i += 3)
        sum += LONG_MAX - i;
    CHECK_EQ(sum, 17 * 250 - 3 * (16 * 17 / 2));
    unsigned long long bits = 0;
#pragma omp teams distribute num_teams(teams) collapse(2) reduction(| : bits)
    for (unsigned long long i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            bits |= 1ull << (8 * i + j);
    CHECK(bits == ~0ull);
}

int main(void)
{
    for (int teams = 1; teams <= 5; teams++) {
        for (int length = 0; length < 40; length += 3)
            blocks(teams, length);
        blocks(teams, MOST);
        chunks(teams, 0, 2);
        chunks(teams, 37, 1);
        chunks(teams, 37, 4);
        chunks(teams, MOST, 7);
        chunks(teams, 10, 100);
        types(teams);
    }
    int last = -1, first = 5;
#pragma omp teams num_teams(3)
#pragma omp distribute lastprivate(last) firstprivate(first)
    for (int i = 0; i < 100; i++)
        last = first + i;
    CHECK_EQ(last, 104);
    return check_result();
}
