// KMP_SCHEDULE decides how the iterations of a static loop without a chunk size are divided.
//#Compilers:clang
//#Vary:KMP_SCHEDULE=static,greedy|static,balanced|guided,analytical
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int greedy = strcmp(getenv("KMP_SCHEDULE"), "static,greedy") == 0;
    const int shares[2][4] = {{3, 3, 2, 2}, {3, 3, 3, 1}};
    int counts[4] = {0}, two[4] = {0};
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 10; i++)
            counts[omp_get_thread_num()]++;
#pragma omp for schedule(static)
        for (long i = 5; i > 3; i--)
            two[omp_get_thread_num()]++;
    }
    for (int thread = 0; thread < 4; thread++) {
        CHECK_EQ(counts[thread], shares[greedy][thread]);
        CHECK_EQ(two[thread], thread < 2);
    }
    return check_result();
}
