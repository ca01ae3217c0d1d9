// More iterations than fit 32 bits, shared out and counted but not run one by one.
//#Threads:2
//#ReferenceFails[gcc]:libgomp 12 gets the number of iterations wrong
#include "check.h"
#include <omp.h>

int main(void)
{
    unsigned long long trips = 0;
#pragma omp parallel
#pragma omp single
    {
        // Steps of 2^40: 64-bit bounds on both sides of zero.
#pragma omp taskloop shared(trips) num_tasks(6)
        for (long long i = -(1LL << 62); i < 1LL << 62; i += 1LL << 40) {
            CHECK_EQ(i % (1LL << 40), 0);
#pragma omp atomic
            trips++;
        }
        CHECK_EQ(trips, 1 << 23);
        trips = 0;
#pragma omp taskloop shared(trips) grainsize(100)
        for (unsigned long long i = ~0ULL; i > 1ULL << 63; i -= 1ULL << 50) {
#pragma omp atomic
            trips++;
        }
        CHECK_EQ(trips, 1 << 13);
    }
    return check_result();
}
