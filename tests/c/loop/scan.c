// Scans: gcc keeps the partial sums in memory of the team, clang in an array.
//#Opt:-O0,-O2
//#Threads:1,2,4,8
//#Flags:-Wl,--no-as-needed -lm
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 1000 };

int main(void)
{
    static long inclusive[N], exclusive[N];
    for (int round = 0; round < 20; round++) {
        long sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
        for (int i = 0; i < N; i++) {
            sum += i + round;
#pragma omp scan inclusive(sum)
            inclusive[i] = sum;
        }
        long expected = 0;
        for (int i = 0; i < N; i++) {
            expected += i + round;
            CHECK_EQ(inclusive[i], expected);
        }
        CHECK_EQ(sum, expected);
        sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
        for (unsigned long i = 0; i < N; i++) {
            exclusive[i] = sum;
#pragma omp scan exclusive(sum)
            sum += (long)i;
        }
        expected = 0;
        for (int i = 0; i < N; i++) {
            CHECK_EQ(exclusive[i], expected);
            expected += i;
        }
        CHECK_EQ(sum, expected);
    }
    return check_result();
}
