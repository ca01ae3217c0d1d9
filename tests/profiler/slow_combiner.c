/* A reduction by a combiner of the program's own, which takes its time: threads wait for their
 * turns to combine. */
#include "clock.h"

typedef struct {
    int64_t count;
} Sum;

static void add(Sum *into, const Sum *from)
{
    struct timespec nap = {0, 50000000};
    nanosleep(&nap, NULL);
    into->count += from->count;
}

#pragma omp declare reduction(slow : Sum : add(&omp_out, &omp_in)) initializer(omp_priv = {0})

int main(void)
{
    Sum sum = {0};
    for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(4) reduction(slow : sum)
        sum.count++;
    }
    print_fact("sum", sum.count);
    return 0;
}
