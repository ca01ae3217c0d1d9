// Every thread of the team runs the region once, with its own number.
//#Opt:-O0,-O2
//#Threads:1,2,4,7
//#SameStdoutAs:reference
//#NoStderr
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int seen[64] = {0}, size = 0;
#pragma omp parallel
    {
#pragma omp atomic
        seen[omp_get_thread_num()]++;
#pragma omp atomic write
        size = omp_get_num_threads();
    }
    printf("size %d:", size);
    for (int i = 0; i < 8; i++)
        printf(" %d", seen[i]);
    printf("\nafter: %d of %d\n", omp_get_thread_num(), omp_get_num_threads());
    return 0;
}
