/* One thread waits for kernels of 20 ms while the other one works as long. */
#include <omp.h>

#include "../clock.h"

enum { ROUNDS = 6 };

int main(void)
{
    int64_t ended = 0;
#pragma omp parallel num_threads(2)
    for (int round = 0; round < ROUNDS; round++) {
        if (omp_get_thread_num() == 0) {
#pragma omp target map(from : ended)
            ended = spin_until(now_ns() + 20000000);
        } else {
            spin_until(now_ns() + 20000000);
        }
#pragma omp barrier
    }
    print_fact("kernels", ROUNDS);
    return ended > 0 ? 0 : 1;
}
