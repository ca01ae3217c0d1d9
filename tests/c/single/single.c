// Exactly one thread runs a single block, with and without nowait; copyprivate tells the others.
//#Opt:-O0,-O2
//#Threads:1,2,4,8
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 1000 };

static int waited[ROUNDS], free_running[ROUNDS];

int main(void)
{
#pragma omp parallel
    {
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp single
            waited[round]++;
            CHECK_EQ(waited[round], 1);
        }
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp single nowait
            free_running[round]++;
        }
    }
    for (int round = 0; round < ROUNDS; round++)
        CHECK_EQ(free_running[round], 1);
#pragma omp single
    free_running[0]++;
    CHECK_EQ(free_running[0], 2);
    return check_result();
}
