// Reductions of a region, of a loop with nowait, of arrays, and with an operator of one's own.
//#Opt:-O0,-O2
//#Threads:1,2,4,7
//#NoStderr
#include "check.h"
#include <complex>
#include <omp.h>

struct Extent {
    long low = 1L << 40, high = -(1L << 40);
    void add(long value)
    {
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    void join(const Extent &other)
    {
        low = other.low < low ? other.low : low;
        high = other.high > high ? other.high : high;
    }
};

#pragma omp declare reduction(join : Extent : omp_out.join(omp_in)) initializer(omp_priv = Extent())
#pragma omp declare reduction(+ : std::complex<double> : omp_out += omp_in)

int main()
{
    int size = omp_get_max_threads();
    for (int round = 0; round < 50; round++) {
        int members = 0, numbers = 0;
#pragma omp parallel reduction(+ : members, numbers)
        {
            members += 1;
            numbers += omp_get_thread_num();
        }
        CHECK_EQ(members, size);
        CHECK_EQ(numbers, size * (size - 1) / 2);

        long bins[64] = {0};
#pragma omp parallel for reduction(+ : bins[ : 64])
        for (int i = 0; i < 6400; i++)
            bins[i % 64] += i;
        for (int i = 0; i < 64; i++)
            CHECK_EQ(bins[i], 100L * i + 64L * 4950);

        Extent extent;
#pragma omp parallel for reduction(join : extent) schedule(guided)
        for (int i = -500; i < 700; i++)
            extent.add(i * 3L);
        CHECK_EQ(extent.low, -1500);
        CHECK_EQ(extent.high, 2097);

        std::complex<double> sum{1, 1};
        long first = 0, second = 0;
#pragma omp parallel
        {
#pragma omp for reduction(+ : first) nowait
            for (int i = 0; i < 1000; i++)
                first += i;
#pragma omp for reduction(+ : second, sum)
            for (int i = 0; i < 1000; i++) {
                second += 2 * i;
                sum += std::complex<double>(i, -i);
            }
            CHECK_EQ(second, 999000);
#pragma omp barrier
            CHECK_EQ(first, 499500);
        }
        CHECK(sum == std::complex<double>(499501, -499499));
    }
    return check_result();
}
