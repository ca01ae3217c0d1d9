// Every predefined operator, on integers and floating point, one and several at a time.
//#Opt:-O0,-O2
//#Threads:1,2,3,4,8
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 1000 };

int main(void)
{
    for (int round = 0; round < 20; round++) {
        int sum = 100, difference = 5, smallest = 1 << 30, largest = -(1 << 30);
        unsigned all = ~0u, any = 0, odd = 0;
        int every = 1, some = 0;
        double product = 1, dsum = 0.25;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += i;
        CHECK_EQ(sum, 100 + N * (N - 1) / 2);
#pragma omp parallel for reduction(- : difference)
        for (int i = 0; i < N; i++)
            difference -= 2;
        CHECK_EQ(difference, 5 - 2 * N);
#pragma omp parallel for reduction(* : product)
        for (int i = 0; i < 20; i++)
            product *= 2;
        CHECK(product == 1048576);
#pragma omp parallel for reduction(min : smallest) reduction(max : largest)
        for (int i = 0; i < N; i++) {
            int value = (i * 7919 + 13) % 10007 - 5000;
            smallest = value < smallest ? value : smallest;
            largest = value > largest ? value : largest;
        }
#pragma omp parallel for reduction(& : all) reduction(| : any) reduction(^ : odd)
        for (int i = 1; i < 64; i++) {
            all &= ~(1u << (i % 5));
            any |= 1u << (i % 7);
            odd ^= i;
        }
        CHECK_EQ(all, ~31u);
        CHECK_EQ(any, 127);
#pragma omp parallel for reduction(&& : every) reduction(|| : some)
        for (int i = 0; i < N; i++) {
            every = every && i != 577;
            some = some || i == 577;
        }
        CHECK_EQ(every, 0);
        CHECK_EQ(some, 1);
#pragma omp parallel for reduction(+ : dsum, sum) reduction(max : largest) schedule(dynamic, 10)
        for (int i = 0; i < N; i++) {
            dsum += 0.5;
            sum += 1;
            largest = i + 9000 > largest ? i + 9000 : largest;
        }
        CHECK(dsum == 0.25 + 0.5 * N);
        CHECK_EQ(largest, 9999);
        printf("%d %d %u %u %u\n", smallest, sum, all, any, odd);
    }
    return check_result();
}
