// The barrier that gcc places between the two halves of a scan passes KMP_CONSISTENCY_CHECK.
//#Compilers:gcc
//#Threads:1,3
//#Env:KMP_CONSISTENCY_CHECK=all
//#NoStderr
#include "check.h"

int main(void)
{
    int sum = 0, wrong = 0;
#pragma omp parallel for reduction(inscan, + : sum) reduction(+ : wrong)
    for (int i = 0; i < 100; i++) {
        sum += i;
#pragma omp scan inclusive(sum)
        wrong += sum != i * (i + 1) / 2;
    }
    CHECK_EQ(sum, 4950);
    CHECK_EQ(wrong, 0);
    return check_result();
}
