// A thread computes while it holds the critical that another wants: no deadlock.
//#Verdict:none
//#Prints:2
#include "planted.h"

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            meet(2);
#pragma omp critical
        {
            if (omp_get_thread_num() == 0) {
                meet(2);
                sum += compute(5) > 0;
            } else {
                sum++;
            }
        }
    }
    printf("%d\n", sum);
    return 0;
}
