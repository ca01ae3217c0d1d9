// A list in OMP_NUM_THREADS gives each nesting level its size; the last one goes on.
//#Env:OMP_MAX_ACTIVE_LEVELS=8
//#Vary:OMP_NUM_THREADS=4,3,2|2, 2|1,5|3
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    int size[5] = {0}, next[5] = {0};
#pragma omp parallel
    {
#pragma omp atomic write
        size[1] = omp_get_num_threads();
#pragma omp atomic write
        next[1] = omp_get_max_threads();
#pragma omp parallel
        {
#pragma omp atomic write
            size[2] = omp_get_num_threads();
#pragma omp atomic write
            next[2] = omp_get_max_threads();
#pragma omp parallel
            {
#pragma omp atomic write
                size[3] = omp_get_num_threads();
#pragma omp atomic write
                next[3] = omp_get_max_threads();
            }
        }
    }
    for (int level = 1; level < 4; level++)
        printf("level %d: %d, then %d\n", level, size[level], next[level]);
    return check_result();
}
