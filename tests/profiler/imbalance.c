/* A region whose threads work 1000 us and 100 us, then 5 ms of serial code; three times.
 * Prints what a profile must say, by its own clock, ns. */
#include <omp.h>

#include "clock.h"

enum { ROUNDS = 3, THREADS = 2 };

static int64_t begun[ROUNDS][THREADS], ended[ROUNDS][THREADS];

int main(void)
{
    int64_t wall = 0, serial = 0, after = 0;
    /* The runtime starts now, not within the first region's time. */
    omp_get_max_threads();
    for (int round = 0; round < ROUNDS; round++) {
        int64_t before = now_ns();
        if (round > 0)
            serial += before - after;
#pragma omp parallel num_threads(THREADS)
        {
            int thread = omp_get_thread_num();
            int64_t start = now_ns();
            begun[round][thread] = start;
            ended[round][thread] = spin_until(start + (thread == 0 ? 1000000 : 100000));
        }
        after = now_ns();
        wall += after - before;
        spin_until(after + 5000000);
    }
    int64_t imbalance = 0, useful = 0, longest = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t last = ended[round][0] > ended[round][1] ? ended[round][0] : ended[round][1];
        int64_t most = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            int64_t worked = ended[round][thread] - begun[round][thread];
            imbalance += last - ended[round][thread];
            useful += worked;
            most = worked > most ? worked : most;
        }
        longest += most;
    }
    print_fact("calls", ROUNDS);
    print_fact("threads", THREADS);
    print_fact("region_wall", wall);
    print_fact("region_useful", useful);
    print_fact("region_longest", longest);
    print_fact("imbalance_wait", imbalance);
    print_fact("serial_between", serial);
    return 0;
}
