// Each section runs once, with and without nowait, more and fewer sections than threads.
//#Opt:-O0,-O2
//#Threads:1,2,3,8
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 300 };

static int ran[5][ROUNDS];

#define RUN(section)                                                                               \
    _Pragma("omp atomic") ran[section][round]++;

int main(void)
{
#pragma omp parallel
    {
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp sections
            {
                RUN(0)
#pragma omp section
                RUN(1)
#pragma omp section
                RUN(2)
            }
            // The barrier of the construct is over.
            CHECK_EQ(ran[0][round] + ran[1][round] + ran[2][round], 3);
#pragma omp sections nowait
            {
#pragma omp section
                RUN(3)
            }
#pragma omp sections nowait
            {
#pragma omp section
                RUN(4)
            }
        }
    }
    for (int section = 0; section < 5; section++)
        for (int round = 0; round < ROUNDS; round++)
            CHECK_EQ(ran[section][round], 1);
    return check_result();
}
