/* Four kernels that compute for 30 ms each, on 80 bytes. */
#include <omp.h>

#include "../clock.h"

enum { ROUNDS = 4 };

int main(void)
{
    int64_t ended[10] = {0}, constructs = 0;
    /* The runtime starts now, and with it the tool. */
    omp_get_max_threads();
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begin = now_ns();
#pragma omp target map(from : ended) // PLANT
        ended[0] = spin_until(now_ns() + 30000000);
        constructs += now_ns() - begin;
    }
    print_fact("constructs", constructs);
    return ended[0] > 0 ? 0 : 1;
}
