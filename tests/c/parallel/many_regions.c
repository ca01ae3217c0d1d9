// Ten thousand small regions: nothing is lost between one team and the next.
//#Threads:1,2,4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    long total = 0;
    int size = omp_get_max_threads();
    for (int region = 0; region < 10000; region++) {
        long here[64] = {0};
#pragma omp parallel
        here[omp_get_thread_num()] = region;
        for (int i = 0; i < size; i++)
            total += here[i];
    }
    CHECK_EQ(total, size * (10000L * 9999 / 2));
    return check_result();
}
