// Loops without an iteration, the outermost or an inner one, and with a single one.
//#Opt:-O0,-O2
//#Threads:1,3
//#NoStderr
#include "check.h"

static int nest(int n, int m, int k)
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp for ordered(3) schedule(dynamic) nowait
        for (int a = 0; a < n; a++)
            for (int b = 0; b < m; b++)
                for (int c = k; c > 0; c -= 2) {
#pragma omp ordered depend(sink : a - 1, b, c) depend(sink : a, b - 1, c + 2)
#pragma omp atomic
                    count++;
#pragma omp ordered depend(source)
                }
#pragma omp for ordered(3) collapse(2)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < m; b++)
                for (int c = k; c > 0; c -= 2) {
#pragma omp ordered depend(sink : a - 1, b, c) depend(sink : a, b - 1, c + 2)
#pragma omp atomic
                    count++;
#pragma omp ordered depend(source)
                }
    }
    return count;
}

int main(void)
{
    for (int n = -1; n < 3; n++)
        for (int m = -1; m < 3; m++)
            for (int k = -2; k < 4; k++)
                CHECK_EQ(nest(n, m, k),
                         2 * (n > 0 ? n : 0) * (m > 0 ? m : 0) * (k > 0 ? (k + 1) / 2 : 0));
    return check_result();
}
