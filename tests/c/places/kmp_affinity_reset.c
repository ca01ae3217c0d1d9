// With KMP_AFFINITY=reset the primary thread is bound for the time of its outermost regions only.
//#Flags:-D_GNU_SOURCE
//#Compilers:clang
//#Needs:2 processors
//#ReferenceFails:libomp does not bind for a region of one thread
//#Env:KMP_AFFINITY=reset,granularity=thread,compact
//#Env:OMP_NUM_THREADS=2,2
//#Env:OMP_MAX_ACTIVE_LEVELS=2
#include "bound.h"

int main(void)
{
    int all = my_processors();
    CHECK(all > 1);
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
        {
            CHECK_EQ(my_processors(), 1);
#pragma omp parallel
            CHECK_EQ(my_processors(), 1);
            CHECK_EQ(my_processors(), 1);
        }
        CHECK_EQ(my_processors(), all);
#pragma omp parallel if (0)
        CHECK_EQ(my_processors(), 1);
        CHECK_EQ(my_processors(), all);
    }
    return check_result();
}
