// A barrier inside a critical: its first thread waits there for those that wait for the critical.
//#Verdict:deadlock
//#Core:yes
//#Says:@WAIT
//#Says:@BARRIER
#include "planted.h"

static int steps;

// An orphaned barrier: compilers reject one that they see inside of a critical.
__attribute__((noinline)) static void step(void)
{
#pragma omp barrier //@BARRIER
    __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);
}

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp critical //@WAIT
        step(); //@WAIT
    }
    printf("%d\n", steps);
    return 0;
}
