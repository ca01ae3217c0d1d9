// A value that means nothing is named on standard error once, and the program goes on.
//#Vary:OMP_NUM_THREADS=zero|-2|0|4,x|99999999999999999999
//#Stderr:OMP_NUM_THREADS
//#ReferenceFails:GCC's and LLVM's runtimes do not warn about each of these
#include "check.h"
#include <omp.h>

int main(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK(size >= 1);
    return check_result();
}
