/* A region whose last statement is an inner region, and a function whose last statement is one: gcc
 * jumps to the runtime there, which leaves no return address in the program. */
#include <omp.h>

#include "clock.h"

__attribute__((noinline)) static void last(void)
{
#pragma omp parallel num_threads(2)
    spin_until(now_ns() + 300000);
}

int main(void)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp parallel num_threads(2)
            spin_until(now_ns() + 200000);
        }
        last();
    }
    print_fact("in_function", 10);
    print_fact("outer", 18);
    print_fact("inner", 20);
    return 0;
}
