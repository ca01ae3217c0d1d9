// KMP_LIBRARY: serial is one thread a region, the other two are about waiting.
//#Compilers:clang
//#Vary:KMP_LIBRARY=serial|turnaround|throughput
//#ReferenceFails:libomp spins without end in turnaround mode, but answers a blocktime of 0
//#Env:OMP_NUM_THREADS=3
#include "check.h"
#include <omp.h>
#include <limits.h>
#include <stdlib.h>

extern int kmp_get_library(void);
extern int kmp_get_blocktime(void);

int main(void)
{
    char first = getenv("KMP_LIBRARY")[0], second = getenv("KMP_LIBRARY")[1];
    int size = 0, mode = first == 's' ? 1 : second == 'u' ? 2 : 3;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, mode == 1 ? 1 : 3);
    CHECK_EQ(kmp_get_library(), mode);
    if (mode == 2)
        CHECK_EQ(kmp_get_blocktime(), INT_MAX);
    return check_result();
}
