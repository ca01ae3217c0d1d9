// Barriers of inner teams do not disturb each other or the outer one.
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        for (int round = 0; round < 20; round++) {
            int count = 0, team = omp_get_thread_num();
#pragma omp parallel num_threads(2) shared(count)
            for (int phase = 1; phase <= 10 * (team + 1); phase++) {
#pragma omp atomic
                count++;
#pragma omp barrier
                CHECK_EQ(count, 2 * phase);
#pragma omp barrier
            }
            CHECK_EQ(count, 20 * (team + 1));
#pragma omp barrier
        }
    }
    return check_result();
}
