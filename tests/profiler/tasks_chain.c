/* Two regions of tasks with dependences: a chain of twenty, and a diamond of one, four, and one.
 * Prints the work and the longest chain of both, by its own clock, ns. */
#include "clock.h"

/* Only their addresses count. */
int left, middle[4];

static int64_t took[26];

static void work(int task, int64_t length)
{
    int64_t begin = now_ns();
    took[task] = spin_until(begin + length) - begin;
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : left) firstprivate(i)
        work(i, 1000000);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : left)
        work(20, 3000000);
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : left) depend(out : middle[i]) firstprivate(i)
            work(21 + i, 2000000 + i * 1000000);
        }
#pragma omp task depend(in : middle[0], middle[1], middle[2], middle[3])
        work(25, 1000000);
    }
    int64_t chain = 0, longest = 0, diamond;
    for (int i = 0; i < 20; i++)
        chain += took[i];
    for (int i = 21; i < 25; i++)
        longest = took[i] > longest ? took[i] : longest;
    diamond = took[20] + longest + took[25];
    int64_t all = took[20] + took[21] + took[22] + took[23] + took[24] + took[25];
    print_fact("chain_span", chain);
    print_fact("diamond_work", all);
    print_fact("diamond_span", diamond);
    return 0;
}
