/* 5000 kernels that add two numbers. */
#include <omp.h>

#include "../clock.h"

enum { KERNELS = 5000 };

int main(void)
{
    long sum = 0;
    /* The runtime starts now, and with it the tool. */
    omp_get_max_threads();
#pragma omp target data map(tofrom : sum)
    for (int kernel = 0; kernel < KERNELS; kernel++) {
#pragma omp target map(tofrom : sum) // PLANT
        sum += 1;
    }
    print_fact("kernels", KERNELS);
    return sum == KERNELS ? 0 : 1;
}
