// A task writes to address 16, while the thread that generated it waits.
//#Verdict:crash
//#Core:yes
//#Signal:11
//#Says:SIGSEGV
//#Says:@CRASH
#include "planted.h"

static int *volatile nowhere = (int *)16;

__attribute__((noinline)) static void work(int value)
{
    *nowhere = value; //@CRASH
    meet(1);
}

int main(void)
{
#pragma omp parallel num_threads(2) //@REGION
#pragma omp single
    {
#pragma omp task //@TASK
        {
            meet(2);
            work(1);
        }
        meet(2);
#pragma omp taskwait //@TASKWAIT
    }
    puts("over");
    return 0;
}
