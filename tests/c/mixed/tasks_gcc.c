//#Part:of tasks.c
#include "check.h"
#include "tasks.h"

long mixed_sum;

void gcc_next(int *value, int wanted)
{
#pragma omp task depend(inout : *value)
    {
        CHECK_EQ(*value, wanted);
        ++*value;
    }
}

void gcc_exclusive(int *value)
{
#pragma omp task depend(mutexinoutset : *value)
    ++*value;
}

void gcc_fulfils(omp_event_handle_t event)
{
#pragma omp task
    omp_fulfill_event(event);
}

void gcc_loop(int *counts, int iterations)
{
#pragma omp taskloop nogroup grainsize(3)
    for (int i = 0; i < iterations; i++)
        counts[i]++;
}

void gcc_tree(int *leaves, int depth)
{
    if (depth == 0) {
        __atomic_add_fetch(leaves, 1, __ATOMIC_RELAXED);
        return;
    }
#pragma omp task
    clang_tree(leaves, depth - 1);
#pragma omp task if (depth % 3)
    clang_tree(leaves, depth - 1);
#pragma omp taskwait
}

void gcc_adds(int what)
{
#pragma omp task in_reduction(+ : mixed_sum)
    mixed_sum += what;
}

void gcc_taskwait(void)
{
#pragma omp taskwait
}
