// Threads that arrive late, each in its turn; and barriers in teams of one and outside any region.
//#Threads:1,4
//#Vary:OMP_WAIT_POLICY=active|passive
//#NoStderr
#include "check.h"
#include <omp.h>
#include <unistd.h>

static void orphan(void)
{
#pragma omp barrier
}

int main(void)
{
    orphan();
    int order = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), size = omp_get_num_threads();
        for (int turn = 0; turn < size; turn++) {
            if (me == turn) {
                usleep(20000);
                order = order * 10 + me;
            }
            orphan();
            CHECK_EQ(order % 10, turn);
            orphan();
        }
        if (me == size - 1)
            usleep(50000);
    }
    orphan();
    return check_result();
}
