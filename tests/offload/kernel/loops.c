// Each iteration of a loop runs once, whatever the combined construct and the schedule.
//#Opt:-O0,-O2
//#Flags:-Wno-pass-failed
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 10007, ROWS = 37, COLUMNS = 41 };

static int hits[LENGTH];

static void each_once(int line)
{
    for (int i = 0; i < LENGTH; i++)
        if (hits[i] != i + 1) {
            fprintf(stderr, "line %d: element %d is %d\n", line, i, hits[i]);
            CHECK(0);
            break;
        }
    memset(hits, 0, sizeof hits);
}

#define LOOP(construct)                                                                            \
    do {                                                                                           \
        _Pragma(construct) for (int i = 0; i < LENGTH; i++) hits[i] += i + 1;                      \
        each_once(__LINE__);                                                                       \
    } while (0)

int main(void)
{
    LOOP("omp target teams distribute parallel for map(tofrom : hits)");
    LOOP("omp target teams distribute parallel for simd map(tofrom : hits)");
    LOOP("omp target teams distribute parallel for num_teams(3) schedule(dynamic, 7) map(tofrom : hits)");
    LOOP("omp target teams distribute parallel for dist_schedule(static, 100) schedule(guided) map(tofrom : hits)");
    LOOP("omp target teams distribute map(tofrom : hits)");
    LOOP("omp target teams distribute simd map(tofrom : hits)");
    LOOP("omp target teams loop map(tofrom : hits)");
    LOOP("omp target parallel for map(tofrom : hits)");
    LOOP("omp target parallel for schedule(static, 1) num_threads(3) map(tofrom : hits)");
    LOOP("omp target parallel for simd map(tofrom : hits)");
    LOOP("omp target parallel loop map(tofrom : hits)");
    LOOP("omp target simd map(tofrom : hits)");

    static int grid[ROWS][COLUMNS];
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : grid)
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            grid[row][column] += row * COLUMNS + column;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            CHECK_EQ(grid[row][column], row * COLUMNS + column);

    // No iteration at all, and bounds that the host computes.
    int count = 0, last = -1, none = atoi("0"), from = atoi("100"), step = atoi("-3");
#pragma omp target teams distribute parallel for map(tofrom : count)
    for (int i = 0; i < none; i++)
#pragma omp atomic
        count++;
    CHECK_EQ(count, 0);
#pragma omp target map(tofrom : count, last)
#pragma omp teams distribute parallel for lastprivate(last)
    for (int i = from; i > 0; i += step) {
        last = i;
#pragma omp atomic
        count++;
    }
    CHECK_EQ(count, 34);
    CHECK_EQ(last, 1);
    return check_result();
}
