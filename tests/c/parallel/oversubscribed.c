// Far more threads than processors: everything still meets everybody.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Threads:17,64
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    int size = omp_get_max_threads();
    long phase[64] = {0};
    for (int region = 0; region < 20; region++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num(), next = (me + 1) % omp_get_num_threads();
            CHECK_EQ(omp_get_num_threads(), size);
            for (int step = 0; step < 10; step++) {
                phase[me]++;
#pragma omp barrier
                CHECK_EQ(phase[next], region * 10 + step + 1);
#pragma omp barrier
            }
        }
    }
    return check_result();
}
