// Only some of the iterations post, and later ones wait for these.
//#Opt:-O2
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static,1|static|dynamic|guided
//#NoStderr
#include "check.h"

int main(void)
{
    static long single[400], nest[20][40];
#pragma omp parallel for ordered(1) schedule(runtime)
    for (int i = 0; i < 400; i++) {
        if (i % 4 == 0) {
#pragma omp ordered depend(sink : i - 4)
            single[i] = i == 0 ? 1 : single[i - 4] + i;
#pragma omp ordered depend(source)
        }
    }
    CHECK_EQ(single[396], 1 + 4 * (99 * 100 / 2));
    // The first iteration of a row does not post, nor do the odd ones.
#pragma omp parallel for ordered(2) schedule(runtime)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 40; j++) {
            if (j % 2 == 0 && j > 0) {
#pragma omp ordered depend(sink : i - 1, j)
                nest[i][j] = (i > 0 ? nest[i - 1][j] : 0) + j;
#pragma omp ordered depend(source)
            }
        }
    for (int j = 2; j < 40; j += 2)
        CHECK_EQ(nest[19][j], 20 * j);
    return check_result();
}
