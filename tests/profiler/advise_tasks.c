/* A tree of tasks, below a depth without tasks. Prints how long the region took, ns. */
#include "clock.h"

#include <stdlib.h>

static int limit;

static void node(int depth, int depths)
{
    for (volatile int i = 0; i < 40; i++)
        ;
    if (depth == depths)
        return;
    if (depth >= limit) {
        node(depth + 1, depths);
        node(depth + 1, depths);
        return;
    }
#pragma omp task
    node(depth + 1, depths);
#pragma omp task
    node(depth + 1, depths);
#pragma omp taskwait
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int depths = atoi(argv[1]);
    limit = atoi(argv[2]);
    int64_t begin = now_ns();
#pragma omp parallel num_threads(2)
#pragma omp single
    node(0, depths);
    print_fact("region", now_ns() - begin);
    return 0;
}
