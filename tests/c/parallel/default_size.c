// Without any request the team has as many threads as the program may use processors.
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, omp_get_num_procs());
    CHECK_EQ(size, omp_get_max_threads());
    printf("%d\n", size);
    return check_result();
}
