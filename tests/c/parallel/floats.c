// Captured floating-point values reach every thread bit by bit.
//#Threads:2,4
//#SameStdoutAs:reference
//#NoStderr
#include <omp.h>
#include <stdio.h>

int main(void)
{
    double part[64] = {0};
    float third = 1.0f / 3.0f;
    double root = 1.4142135623730951;
#pragma omp parallel firstprivate(third, root)
    {
        int me = omp_get_thread_num();
        part[me] = third;
        for (int i = 0; i < me; i++)
            part[me] *= root;
    }
    for (int i = 0; i < omp_get_max_threads(); i++)
        printf("%.17g\n", part[i]);
    return 0;
}
