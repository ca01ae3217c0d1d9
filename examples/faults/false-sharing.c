/* Each thread counts remainders in counters of its own. The counters of two threads lie side by
   side in one cache line, which the processors take from each other at each addition. */
#include <omp.h>
#include <stdio.h>

#define NUMBERS (1 << 16)
#define ROUNDS 3000

struct part {
    long counts[4];
};

static _Alignas(64) struct part parts[2];
static long numbers[NUMBERS];

static void count(struct part *part)
{
    for (int i = 0; i < NUMBERS; i++)
        part->counts[numbers[i] & 3]++;
}

int main(void)
{
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = i * 7L % 31;
#pragma omp parallel num_threads(2)
    for (int round = 0; round < ROUNDS; round++)
        count(&parts[omp_get_thread_num()]);
    printf("%ld %ld\n", parts[0].counts[0], parts[1].counts[3]);
    return 0;
}
