/* Doacross loop nests whose iterations wait for others at known distances; the first argument names
 * the nest. Each iteration works for longer than the other thread takes to come to it, so that
 * threads wait at their sinks. With a second argument the program waits for the helper first, so
 * that the paths to the sinks are known. */
#include <string.h>

#include "clock.h"
#include "helper.h"

enum { ROWS = 60, COLUMNS = 10, PART = 100000 };

static int64_t sums[ROWS + 3][COLUMNS + 2];

/* Each row waits for the one before it. */
__attribute__((noinline)) static int64_t one(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 1)
        sums[row][0] = sums[row - 1][0] + (work_ns(PART) > 0);
#pragma omp ordered depend(source)
    }
    return sums[ROWS][0];
}

/* Each row waits for that which is two before it. */
__attribute__((noinline)) static int64_t two(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
    for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 2)
        sums[row + 1][0] = sums[row - 1][0] + (work_ns(PART) > 0);
#pragma omp ordered depend(source)
    }
    return sums[ROWS + 1][0];
}

/* Rows from the last one on, in steps of three: the loop's iterations are one apart. */
__attribute__((noinline)) static int64_t down(void)
{
#pragma omp parallel for ordered(1) schedule(dynamic, 1) num_threads(2)
    for (int row = 3 * ROWS; row >= 3; row -= 3) {
#pragma omp ordered depend(sink : row + 3)
        sums[row / 3][0] = sums[row / 3 + 1][0] + (work_ns(PART) > 0);
#pragma omp ordered depend(source)
    }
    return sums[1][0];
}

/* The last row has no source. */
__attribute__((noinline)) static int64_t last(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 1)
        sums[row][0] = sums[row - 1][0] + (work_ns(PART) > 0);
        if (row < ROWS) {
#pragma omp ordered depend(source)
        }
    }
    return sums[ROWS][0];
}

/* Each element waits for the one above it and the one to the left. */
__attribute__((noinline)) static int64_t grid(void)
{
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS / 5; row++)
        for (int column = 1; column <= COLUMNS; column++) {
#pragma omp ordered depend(sink : row - 1, column) depend(sink : row, column - 1)
            sums[row][column] =
                sums[row - 1][column] + sums[row][column - 1] + (work_ns(PART / 2) > 0);
#pragma omp ordered depend(source)
        }
    return sums[ROWS / 5][COLUMNS];
}

/* Two nests in a region. */
__attribute__((noinline)) static int64_t both(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for ordered(1) schedule(static, 1)
        for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 1)
            sums[row][0] = sums[row - 1][0] + (work_ns(PART) > 0);
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(static, 1)
        for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 3)
            sums[row + 2][1] = sums[row - 1][1] + (work_ns(PART) > 0);
#pragma omp ordered depend(source)
        }
    }
    return sums[ROWS + 2][1];
}

/* More loops than distances are kept for. */
__attribute__((noinline)) static int64_t deep(void)
{
#pragma omp parallel for ordered(5) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS; row++)
        for (int a = 0; a < 1; a++)
            for (int b = 0; b < 1; b++)
                for (int c = 0; c < 1; c++)
                    for (int d = 0; d < 1; d++) {
#pragma omp ordered depend(sink : row - 1, a, b, c, d)
                        sums[row][0] = sums[row - 1][0] + (work_ns(PART) > 0);
#pragma omp ordered depend(source)
                    }
    return sums[ROWS][0];
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        int64_t (*run)(void);
    } nests[] = {
        {"one", one}, {"two", two},   {"down", down}, {"last", last},
        {"grid", grid}, {"both", both}, {"deep", deep},
    };
    if (count == 3)
        await_helper();
    for (size_t nest = 0; count >= 2 && nest < sizeof nests / sizeof *nests; nest++)
        if (strcmp(arguments[1], nests[nest].name) == 0) {
            int64_t sum = nests[nest].run();
            return sum > 0 ? 0 : 1;
        }
    return 1;
}
