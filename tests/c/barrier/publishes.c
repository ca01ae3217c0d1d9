// What was written before a barrier, plainly, is seen after it.
//#Opt:-O2,-O3
//#Threads:2,4
//#NoStderr
#include "check.h"
#include <omp.h>

enum { WORDS = 512, ROUNDS = 300 };

static long data[8][WORDS];

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num(), size = omp_get_num_threads();
        for (int round = 1; round <= ROUNDS; round++) {
            for (int i = 0; i < WORDS; i++)
                data[me][i] = round * 1000L + me;
#pragma omp barrier
            for (int other = 0; other < size; other++)
                for (int i = 0; i < WORDS; i += 37)
                    CHECK_EQ(data[other][i], round * 1000L + other);
#pragma omp barrier
        }
    }
    return check_result();
}
