// Doacross loops outside of a region, in teams of one, in serialized and nested regions, in
// functions that a region calls, and with regions in their bodies.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#ReferenceFails[clang]:libomp's loops in a team of one leave no trace, those of its GOMP layer crash
//#NoStderr
#include "check.h"
#include <omp.h>

static long chain(int length, int start)
{
    long sums[64];
    // Orphaned: the region is the caller's.
#pragma omp for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < length; i++) {
#pragma omp ordered depend(sink : i - 1)
        sums[i] = i == 0 ? start : sums[i - 1] + i;
#pragma omp ordered depend(source)
    }
    return length > 0 ? sums[length - 1] : start;
}

static long shared_chain(int length, long *sums)
{
#pragma omp for ordered(1) schedule(static, 2)
    for (int i = 0; i < length; i++) {
#pragma omp ordered depend(sink : i - 1)
        sums[i] = i == 0 ? 5 : sums[i - 1] + i;
#pragma omp ordered depend(source)
    }
    return sums[length - 1];
}

int main(void)
{
    CHECK_EQ(chain(10, 3), 48);
    CHECK_EQ(chain(0, 3), 3);
#pragma omp parallel num_threads(1)
    CHECK_EQ(chain(10, 4), 49);
#pragma omp parallel if (0)
    CHECK_EQ(chain(10, 5), 50);
    long sums[30];
#pragma omp parallel
    CHECK_EQ(shared_chain(30, sums), 440);
#pragma omp parallel num_threads(2)
    {
        long inner[30];
        // An inner team for each thread, of two and, at the third level, of one.
#pragma omp parallel num_threads(3)
        {
            CHECK_EQ(shared_chain(30, inner), 440);
#pragma omp parallel num_threads(2)
            CHECK_EQ(chain(10, 6), 51);
        }
        CHECK_EQ(inner[29], 440);
    }
    // Each iteration has a region of its own, with a doacross loop.
    long outer[12];
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 12; i++) {
        long inner[20];
#pragma omp parallel for ordered(2) num_threads(2) schedule(dynamic)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 5; b++) {
#pragma omp ordered depend(sink : a - 1, b) depend(sink : a, b - 1)
                inner[a * 5 + b] = 1 + (a > 0 ? inner[(a - 1) * 5 + b] : 0)
                    + (b > 0 ? inner[a * 5 + b - 1] : 0);
#pragma omp ordered depend(source)
            }
#pragma omp ordered depend(sink : i - 1)
        outer[i] = inner[19] + (i > 0 ? outer[i - 1] : 0);
#pragma omp ordered depend(source)
    }
    CHECK_EQ(outer[11], 12 * 125);
    return check_result();
}
