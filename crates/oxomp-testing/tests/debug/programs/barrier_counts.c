// One member meets a barrier that the others do not: they have left the region.
//#Verdict:deadlock
//#Says:different\s+numbers\s+of\s+barriers
#include "planted.h"

static int steps;

__attribute__((noinline)) static void step(void)
{
#pragma omp barrier
    __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);
}

int main(void)
{
#pragma omp parallel num_threads(4) //@REGION
    {
        if (omp_get_thread_num() == 0)
            step();
    }
    printf("%d\n", steps);
    return 0;
}
