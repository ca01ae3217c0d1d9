/* Three regions of tasks with dependences: a chain of twenty, a diamond of one, four, and one, and
 * one task that depends on twelve. Prints the work and the longest chains, by its own clock, ns. */
#include "clock.h"

/* Only their addresses count. */
int left, middle[4], many[12];

static int64_t took[39];

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
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 12; i++) {
#pragma omp task depend(out : many[i]) firstprivate(i)
            work(26 + i, i == 11 ? 2000000 : 200000);
        }
#pragma omp task depend(in : many[0], many[1], many[2], many[3], many[4], many[5]) \
    depend(in : many[6], many[7], many[8], many[9], many[10], many[11])
        work(38, 1000000);
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
    print_fact("fan_span", took[37] + took[38]);
    return 0;
}
