// An untied task gives way in a region's last barrier, so that its rest is queued anew: the thread
// that does so and the one that takes the rest leave the barrier, each in its time. A barrier that
// one of them does not leave is a hang. Only clang's untied tasks have parts. On a busy machine it
// ends after ten seconds.
//#Compilers:clang
//#Env:OMP_NUM_THREADS=2
//#Args:1000000
//#NotRecorded:more tasks than a log holds
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    enum { LEAST_REGIONS = 10000, MOST_SECONDS = 10 };
    long regions = count > 1 ? atol(arguments[1]) : 1000000, over = 0, region = 0;
    double begin = omp_get_wtime();
    for (; region < regions; region++) {
        if (region > LEAST_REGIONS && omp_get_wtime() - begin > MOST_SECONDS)
            break;
#pragma omp parallel
        if (omp_get_thread_num() == 0) {
#pragma omp task untied shared(over)
            {
#pragma omp taskyield
#pragma omp atomic
                over++;
#pragma omp taskyield
            }
        }
    }
    CHECK_EQ(over, region);
    return check_result();
}
