// parallel sections; lastprivate takes the value of the last section; reductions; C++ objects.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string>

int main()
{
    for (int round = 0; round < 100; round++) {
        int last = -1, sum = 0;
        std::string left, right;
#pragma omp parallel sections lastprivate(last) reduction(+ : sum)
        {
            {
                left = std::string(100, 'l');
                last = round;
                sum += 1;
            }
#pragma omp section
            {
                right = std::string(100, 'r');
                last = round + 1;
                sum += 10;
            }
#pragma omp section
            {
                last = round + 2;
                sum += 100;
            }
        }
        CHECK_EQ(last, round + 2);
        CHECK_EQ(sum, 111);
        CHECK(left == std::string(100, 'l') && right == std::string(100, 'r'));
    }
    printf("done\n");
    return check_result();
}
