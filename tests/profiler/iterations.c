/* A loop whose every iteration waits for the one before it and then works: of two threads one waits
 * almost all the time. With `two` the loop is in a nested region, and each thread waits at a sink of
 * its own; with `endless` it says "begun", and goes on until it is killed. */
#include <omp.h>

#include "clock.h"
#include "helper.h"

enum { ROWS = 300, PART = 2000000 };

static int64_t sums[ROWS + 1];

__attribute__((noinline)) static int64_t one_sink(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 1)
        sums[row] = sums[row - 1] + work_ns(PART);
#pragma omp ordered depend(source)
    }
    return sums[ROWS];
}

__attribute__((noinline)) static int64_t two_sinks(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS; row++) {
        if (row % 2 == 0) {
#pragma omp ordered depend(sink : row - 1)
            sums[row] = sums[row - 1] + work_ns(PART);
        } else {
            sums[row] = 1;
#pragma omp ordered depend(sink : row - 1)
            sums[row] += sums[row - 1] + work_ns(PART / 2);
        }
#pragma omp ordered depend(source)
    }
    return sums[ROWS];
}

int main(int count, char **arguments)
{
    omp_set_max_active_levels(2);
    await_helper();
    int64_t sum = 0;
    if (count == 1) {
        sum = one_sink();
    } else if (strcmp(arguments[1], "two") == 0) {
#pragma omp parallel num_threads(2) shared(sum)
#pragma omp masked
        sum = two_sinks();
    } else {
        puts("begun");
        fflush(stdout);
        for (;;)
            sum += one_sink();
    }
    return sum > 0 ? 0 : 1;
}
