// A long hold puts the others to sleep, and each is woken in the end.
//#Env:OMP_NUM_THREADS=6
//#Vary:OMP_WAIT_POLICY=active|passive
//#NoStderr
#include "check.h"
#include <omp.h>
#include <unistd.h>

int main(void)
{
    int entered = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
#pragma omp critical(slow)
            {
                usleep(10000);
                entered++;
            }
        }
        CHECK_EQ(entered, 6 * (round + 1));
    }
    return check_result();
}
