// A thread in a critical waits for its child task, which wants the same critical.
//#Verdict:deadlock
//#Core:yes
//#Says:@TASKWAIT
//#Says:@CHILD
#include "planted.h"

static int sum;

// An orphaned critical: compilers reject one that they see inside of another of its name.
__attribute__((noinline)) static void add(void)
{
#pragma omp critical(sum) //@CHILD
    sum++; //@CHILD
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp critical(sum)
        {
#pragma omp task //@TASK
            {
                meet(2);
                add();
            }
            // The other thread executes it.
            meet(2);
#pragma omp taskwait //@TASKWAIT
            sum++; //@TASKWAIT
        }
    }
    printf("%d\n", sum);
    return 0;
}
