// Chains of loops without barriers: threads run ahead by more loops than a runtime keeps buffers.
//#Threads:1,2,4,8
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 64, LOOPS = 400 };

static int times[LOOPS][N];

int main(void)
{
#pragma omp parallel
    {
        for (int loop = 0; loop < LOOPS; loop++) {
            switch (loop % 4) {
            case 0:
#pragma omp for schedule(dynamic) nowait
                for (int i = 0; i < N; i++) {
#pragma omp atomic
                    times[loop][i]++;
                }
                break;
            case 1:
#pragma omp for schedule(guided, 2) nowait
                for (unsigned long i = 0; i < N; i++) {
#pragma omp atomic
                    times[loop][i]++;
                }
                break;
            case 2:
#pragma omp for schedule(static, 3) nowait
                for (long i = 0; i < N; i++) {
#pragma omp atomic
                    times[loop][i]++;
                }
                break;
            default:
#pragma omp for schedule(dynamic, 5) nowait
                for (unsigned i = 0; i < N; i++) {
#pragma omp atomic
                    times[loop][i]++;
                }
            }
        }
    }
    for (int loop = 0; loop < LOOPS; loop++)
        for (int i = 0; i < N; i++)
            CHECK_EQ(times[loop][i], 1);
    return check_result();
}
