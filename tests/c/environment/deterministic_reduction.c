// With KMP_DETERMINISTIC_REDUCTION equal teams add in equal order, to the last bit.
//#Compilers:clang
//#Env:KMP_DETERMINISTIC_REDUCTION=true
//#Threads:2,3,4,9
#include "check.h"
#include <omp.h>
#include <string.h>

static double sum(void)
{
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        // Threads arrive in all orders.
        for (volatile int spin = 0; spin < omp_get_thread_num() * 37 % 5 * 300; spin++)
            ;
        sum += 1.0 / (3 + omp_get_thread_num() * 1e5) * (omp_get_thread_num() % 2 ? 1e9 : 1e-9);
    }
    return sum;
}

int main(void)
{
    double first = sum();
    for (int round = 0; round < 500; round++) {
        double again = sum();
        CHECK_EQ(memcmp(&first, &again, sizeof first), 0);
    }
    return check_result();
}
