//#Part:of mixed.c
#include "mixed.h"

int mixed_singles;

int gcc_region(int size)
{
    int members = 0;
#pragma omp parallel num_threads(size)
    {
#pragma omp critical
        members++;
    }
    return members;
}

int gcc_thread_num(void)
{
    return omp_get_thread_num();
}

// Returns what this thread summed up of a dynamic loop, plus a static loop without effect.
long gcc_share_of_loop(int n)
{
    long sum = 0;
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
        sum += i < 0;
    return sum;
}

int gcc_single(void)
{
    int mine = 0;
#pragma omp single
    mine = 1;
    return mine;
}

void gcc_barrier(void)
{
#pragma omp barrier
}
