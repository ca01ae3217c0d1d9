/* Two threads count side by side in one cache line, and then one of them works alone for three
 * times as long, in a single region. */
#include <omp.h>

#include "clock.h"

enum { STEPS = 100000, SHARED_MS = 700 };

static volatile long counts[2] __attribute__((aligned(64)));
static volatile double alone;
static int64_t shared[2], single;

/* The processor time since `begin`. */
static int64_t spent_since(int64_t begin)
{
    return cpu_ns() - begin;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int own = omp_get_thread_num();
        int64_t begin = cpu_ns();
        while (spent_since(begin) < SHARED_MS * INT64_C(1000000)) {
            for (int step = 0; step < STEPS; step++)
                counts[own]++; // line 27
        }
        shared[own] = spent_since(begin);
#pragma omp barrier
#pragma omp single
        {
            begin = cpu_ns();
            while (spent_since(begin) < 3 * (shared[0] + shared[1])) {
                for (int step = 0; step < STEPS; step++)
                    alone += 0.5;
            }
            single = spent_since(begin);
        }
    }
    print_fact("shared_ns", shared[0] + shared[1]);
    print_fact("single_ns", single);
    return 0;
}
