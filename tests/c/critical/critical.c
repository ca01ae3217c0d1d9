// One thread at a time in blocks of one name; other names are other locks.
//#Opt:-O0,-O2
//#Threads:1,2,4,8
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 2000 };

static long plain, first, second;
static int inside[3];

static void enter(int which)
{
    CHECK_EQ(__atomic_add_fetch(&inside[which], 1, __ATOMIC_RELAXED), 1);
}

static void leave(int which)
{
    __atomic_sub_fetch(&inside[which], 1, __ATOMIC_RELAXED);
}

int main(void)
{
    int size = omp_get_max_threads();
#pragma omp parallel
    {
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp critical
            {
                enter(0);
                plain++;
                leave(0);
            }
#pragma omp critical(first)
            {
                enter(1);
                first += 2;
#pragma omp critical(second) hint(omp_sync_hint_contended)
                {
                    enter(2);
                    second += first & 1;
                    leave(2);
                }
                leave(1);
            }
        }
    }
    CHECK_EQ(plain, (long)size * ROUNDS);
    CHECK_EQ(first, 2L * size * ROUNDS);
    CHECK_EQ(second, 0);
#pragma omp critical
    plain = 0;
    CHECK_EQ(plain, 0);
    return check_result();
}
