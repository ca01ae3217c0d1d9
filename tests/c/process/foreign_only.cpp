// The first region of the program runs in a plain thread, and many such threads come and go.
//#Env:OMP_NUM_THREADS=2
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <thread>
#include <vector>

static long work()
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    return sum;
}

int main()
{
    for (int generation = 0; generation < 40; generation++) {
        long first = 0, second = 0;
        std::thread one([&] { first = work(); });
        std::thread two([&] { second = work(); });
        one.join();
        two.join();
        CHECK_EQ(first, 499500);
        CHECK_EQ(second, 499500);
    }
    CHECK_EQ(work(), 499500);
    return check_result();
}
