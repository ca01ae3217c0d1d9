/* Loops whose iterations cost more in places that are known: SHAPE says where. The schedule comes
 * from OMP_SCHEDULE. With the shape "thread" the second thread works three times as long as the
 * first for the same iterations, as if their memory were far away. Prints how long all executions of the region took, ns. */
#include "clock.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int64_t costs[1 << 20];

static void fill(const char *shape, int count, int64_t mean)
{
    uint64_t state = 12345;
    for (int i = 0; i < count; i++) {
        int64_t cost = mean;
        if (!strcmp(shape, "first"))
            cost = i < count / 10 ? 7 * mean : mean / 3;
        else if (!strcmp(shape, "last"))
            cost = i >= count - count / 10 ? 7 * mean : mean / 3;
        else if (!strcmp(shape, "triangular"))
            cost = 2 * mean * i / count;
        else if (!strcmp(shape, "random")) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            cost = state >> 60 ? mean / 2 : 17 * mean / 2;
        }
        costs[i] = cost;
    }
}

/* Works for about so many ns without a look at a clock, in registers alone: each multiplication
 * waits for the one before. */
static void multiply(int64_t length)
{
    uint64_t value = 1;
    for (int64_t i = 0; i < length; i++) {
        value *= 6364136223846793005u;
        __asm__ volatile("" : "+r"(value));
    }
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    int count = atoi(argv[2]), rounds = atoi(argv[4]);
    int64_t mean = atoll(argv[3]), took = 0;
    int far = strcmp(argv[1], "thread") ? 1 : 3;
    fill(argv[1], count, mean);
    for (int round = 0; round < rounds; round++) {
        int64_t begin = now_ns();
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < count; i++) {
            if (costs[i] < 2000)
                multiply(costs[i]);
            else
                work_ns(omp_get_thread_num() ? far * costs[i] : costs[i]);
        }
        took += now_ns() - begin;
    }
    print_fact("region", took);
    return 0;
}
