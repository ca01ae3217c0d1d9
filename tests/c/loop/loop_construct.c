// The loop construct: iterations in any order by anybody, each once, and its reductions. OpenMP's
// own constructs may not stand in it, atomic included.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 700 };

int main(void)
{
    int times[N] = {0};
    long sum = 0;
    int last = -1;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel loop
        for (int i = 0; i < N; i++) {
            __atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);
        }
#pragma omp parallel
        {
#pragma omp loop bind(parallel)
            for (long i = N - 1; i >= 0; i--) {
            __atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);
            }
            // There is a barrier at its end.
            int mine = 0;
            for (int i = 0; i < N; i++)
                mine += times[i] != 4 * round + 2;
            CHECK_EQ(mine, 0);
#pragma omp barrier
#pragma omp loop bind(parallel) collapse(2)
            for (int i = 0; i < N / 10; i++)
                for (int j = 0; j < 10; j++) {
                    __atomic_fetch_add(&times[10 * i + j], 1, __ATOMIC_RELAXED);
                }
            // By one thread, each in its own.
            int alone = 0;
#pragma omp loop bind(thread)
            for (int i = 0; i < 10; i++)
                alone += i;
            CHECK_EQ(alone, 45);
        }
        sum = 0;
#pragma omp parallel loop reduction(+ : sum) lastprivate(last)
        for (last = 0; last < N; last++) {
            sum += last;
            __atomic_fetch_add(&times[last], 1, __ATOMIC_RELAXED);
        }
        CHECK_EQ(sum, N * (N - 1L) / 2);
        CHECK_EQ(last, N);
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(times[i], 80);
    return check_result();
}
