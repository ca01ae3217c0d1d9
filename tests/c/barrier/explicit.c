// Nobody passes a barrier before all have reached it.
//#Opt:-O0,-O2
//#Threads:1,2,3,4,8
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { PHASES = 2000 };

int main(void)
{
    static int reached[PHASES];
#pragma omp parallel
    {
        int size = omp_get_num_threads();
        for (int phase = 0; phase < PHASES; phase++) {
#pragma omp atomic
            reached[phase]++;
#pragma omp barrier
            int here;
#pragma omp atomic read
            here = reached[phase];
            CHECK_EQ(here, size);
        }
    }
    return check_result();
}
