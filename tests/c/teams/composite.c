// teams distribute parallel for, in all forms: each iteration is executed once, by a thread of the
// team that has it.
//#Opt:-O0,-O2
//#Flags[clang]:-Wno-pass-failed
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>

enum { LENGTH = 500 };

static int hits[LENGTH];
static long sum;

static void done(const char *what)
{
    int wrong = 0;
    for (int i = 0; i < LENGTH; i++)
        wrong += hits[i] != 1;
    CHECK_EQ(wrong, 0);
    CHECK_EQ(sum, (long)LENGTH * (LENGTH - 1) / 2);
    if (wrong)
        fprintf(stderr, "in %s\n", what);
    memset(hits, 0, sizeof hits);
    sum = 0;
}

#define TEXT(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT(__VA_ARGS__))
#define LOOP(...)                                                                                  \
    do {                                                                                           \
        PRAGMA(omp teams distribute __VA_ARGS__ reduction(+ : sum))                                \
        for (int i = 0; i < LENGTH; i++) {                                                         \
            __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);                                     \
            sum += i;                                                                              \
        }                                                                                          \
        done(#__VA_ARGS__);                                                                        \
    } while (0)

static void all(int teams, int threads)
{
    LOOP(num_teams(teams));
    LOOP(simd num_teams(teams));
    LOOP(parallel for num_teams(teams) num_threads(threads));
    LOOP(parallel for num_teams(teams) thread_limit(threads));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(static));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(static, 1));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(static, 9));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(dynamic));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(dynamic, 4));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(guided));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(guided, 3));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(auto));
    LOOP(parallel for num_teams(teams) num_threads(threads) schedule(runtime));
    LOOP(parallel for num_teams(teams) num_threads(threads) dist_schedule(static));
    LOOP(parallel for num_teams(teams) num_threads(threads) dist_schedule(static, 11));
    LOOP(parallel for num_teams(teams) num_threads(threads) dist_schedule(static, 11)
             schedule(static, 2));
    LOOP(parallel for num_teams(teams) num_threads(threads) dist_schedule(static, 40)
             schedule(dynamic, 3));
    LOOP(parallel for simd num_teams(teams) num_threads(threads));
    LOOP(parallel for simd num_teams(teams) num_threads(threads) dist_schedule(static, 13)
             schedule(guided));
    LOOP(parallel for num_teams(teams) num_threads(threads) if (parallel : threads > 2));
}

int main(void)
{
    for (int teams = 1; teams <= 4; teams++)
        for (int threads = 1; threads <= 3; threads++)
            all(teams, threads);
    // Two loops in one, the last value, and a thread's place in its team.
    int cells[12][7], last = 0;
    memset(cells, 0, sizeof cells);
#pragma omp teams distribute parallel for collapse(2) num_teams(3) num_threads(2)                  \
    lastprivate(last)
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 7; j++) {
            CHECK(omp_get_num_threads() <= 2 && omp_get_level() == 1);
            cells[i][j]++;
            last = 100 * i + j;
        }
    CHECK_EQ(last, 1106);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 7; j++)
            CHECK_EQ(cells[i][j], 1);
    return check_result();
}
