// Threads may be in different doacross loops, more than a team keeps in flight, and in other
// worksharing regions between them.
//#Opt:-O2
//#Threads:1,2,4,7
//#Repeat:3
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>

#define LOOPS 60
#define LENGTH 40

int main(void)
{
    static long chain[LOOPS][LENGTH], other[LOOPS];
#pragma omp parallel
    for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered depend(sink : i - 1)
            chain[loop][i] = i == 0 ? loop : chain[loop][i - 1] * 3 % 10007 + 1;
#pragma omp ordered depend(source)
        }
        if (loop % 3 == 0) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 5; i++) {
#pragma omp atomic
                other[loop]++;
            }
        }
        if (loop % 5 == 0) {
#pragma omp sections nowait
            {
#pragma omp section
                {
#pragma omp atomic
                    other[loop]++;
                }
#pragma omp section
                {
#pragma omp atomic
                    other[loop]++;
                }
            }
        }
        if (loop % 7 == 0) {
#pragma omp for ordered schedule(dynamic) nowait
            for (int i = 0; i < 6; i++) {
#pragma omp ordered
#pragma omp atomic
                other[loop]++;
            }
        }
        if (loop % 2 == 0) {
#pragma omp for ordered(2) schedule(dynamic) nowait
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#pragma omp atomic
                    other[loop]++;
#pragma omp ordered depend(source)
                }
        }
    }
    for (int loop = 0; loop < LOOPS; loop++) {
        long wanted = loop;
        for (int i = 0; i < LENGTH; i++) {
            CHECK_EQ(chain[loop][i], wanted);
            wanted = wanted * 3 % 10007 + 1;
        }
        long rest = (loop % 3 == 0 ? 5 : 0) + (loop % 5 == 0 ? 2 : 0) + (loop % 7 == 0 ? 6 : 0)
            + (loop % 2 == 0 ? 12 : 0);
        CHECK_EQ(other[loop], rest);
    }
    return check_result();
}
