/* The host waits for kernels of 20 ms, and the device for as much work of the host. */
#include <omp.h>

#include "../clock.h"

enum { ROUNDS = 6 };

int main(void)
{
    int64_t ended = 0, kernels = 0, host = 0;
    /* The runtime starts now, and with it the tool. */
    omp_get_max_threads();
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begin = now_ns();
#pragma omp target map(from : ended) // PLANT
        ended = spin_until(now_ns() + 20000000);
        int64_t after = now_ns();
        kernels += after - begin;
        if (round + 1 < ROUNDS)
            host += spin_until(after + 20000000) - after;
    }
    print_fact("constructs", kernels);
    print_fact("host", host);
    return ended > 0 ? 0 : 1;
}
