// The doacross clause of OpenMP 5.2, with omp_cur_iteration and with vectors.
//#Compilers:clang
//#Flags:-fopenmp-version=52
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
#include "check.h"

int main(void)
{
    long sums[200] = {0};
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 1; i < 200; i++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
        sums[i] = sums[i - 1] + i;
#pragma omp ordered doacross(source : omp_cur_iteration)
    }
    CHECK_EQ(sums[199], 199 * 200 / 2);
    long again[200] = {0};
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 199; i > 0; i--) {
#pragma omp ordered doacross(sink : i + 1)
        again[i] = (i < 199 ? again[i + 1] : 0) + i;
#pragma omp ordered doacross(source :)
    }
    CHECK_EQ(again[1], 199 * 200 / 2);
    return check_result();
}
