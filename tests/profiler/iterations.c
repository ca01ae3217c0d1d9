/* A loop whose every iteration waits for the one before it and then works: of two threads one waits
 * almost all the time. */
#include <omp.h>

#include "clock.h"
#include "helper.h"

enum { ROWS = 300, PART = 2000000 };

static int64_t sums[ROWS + 1];

int main(void)
{
    omp_get_max_threads();
    await_helper();
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int row = 1; row <= ROWS; row++) {
#pragma omp ordered depend(sink : row - 1)
        sums[row] = sums[row - 1] + work_ns(PART);
#pragma omp ordered depend(source)
    }
    return sums[ROWS] > 0 ? 0 : 1;
}
