// C++: loops over random-access iterators, pointers, ranges and types of one's own.
//#Opt:-O0,-O2
//#Threads:1,3,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <deque>
#include <omp.h>
#include <vector>

template <typename Container> long sum_of(const Container &values)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (auto it = values.begin(); it < values.end(); it += 2)
        sum += *it;
    return sum;
}

int main()
{
    std::vector<int> values(1001);
    std::deque<short> queue(501);
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic, 10) nowait
            for (int *p = values.data(); p < values.data() + 1001; p++)
                *p = (int)(p - values.data());
#pragma omp for schedule(static, 3)
            for (auto it = queue.rbegin(); it < queue.rend(); ++it)
                *it = (short)(it - queue.rbegin());
        }
        printf("%ld %ld\n", sum_of(values), sum_of(queue));
        long sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int value : values)
            sum += value;
        CHECK_EQ(sum, 500500);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
        for (signed char c = 100; c > 0; c -= 3)
            sum += c;
        CHECK_EQ(sum, 500500 + 34 * (100 + 1) / 2);
    }
    return check_result();
}
