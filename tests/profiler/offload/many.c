/* 5000 kernels that add two numbers. */
#include "../clock.h"

enum { KERNELS = 5000 };

int main(void)
{
    long sum = 0;
#pragma omp target data map(tofrom : sum)
    for (int kernel = 0; kernel < KERNELS; kernel++) {
#pragma omp target map(tofrom : sum) // PLANT
        sum += 1;
    }
    print_fact("kernels", KERNELS);
    return sum == KERNELS ? 0 : 1;
}
