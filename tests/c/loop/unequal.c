// Threads of unequal speed run through more loops than can be in flight, in every schedule; a slow
// iteration keeps its loop open while the others go on.
//#Threads:2,4
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <unistd.h>

enum { N = 12, CHAINS = 8, LOOPS = 12 };

static int times[CHAINS][LOOPS][N];

#define STEP(clause, loop)                                                                         \
    _Pragma(clause) for (int i = 0; i < N; i++)                                                    \
    {                                                                                              \
        if (i == (loop + chain) % N)                                                               \
            usleep(200);                                                                           \
        _Pragma("omp atomic") times[chain][loop][i]++;                                             \
    }

#define SECTION(from, to)                                                                          \
    for (int i = from; i < to; i++) {                                                              \
        _Pragma("omp atomic") times[chain][9][i]++;                                                \
    }

int main(void)
{
#pragma omp parallel
    for (int chain = 0; chain < CHAINS; chain++) {
        if (omp_get_thread_num() == chain % omp_get_num_threads())
            usleep(500);
        STEP("omp for schedule(dynamic) nowait", 0)
        STEP("omp for schedule(monotonic : dynamic, 2) nowait", 1)
        STEP("omp for schedule(guided) nowait", 2)
        STEP("omp for schedule(static) nowait", 3)
        STEP("omp for schedule(static, 1) nowait", 4)
        STEP("omp for schedule(runtime) nowait", 5)
        STEP("omp for schedule(auto) nowait", 6)
        STEP("omp for schedule(dynamic, 100) nowait", 7)
        STEP("omp for schedule(guided, 5) nowait", 8)
#pragma omp sections nowait
        {
            SECTION(0, 4)
#pragma omp section
            SECTION(4, 12)
        }
        STEP("omp for schedule(dynamic, 3) nowait", 10)
        STEP("omp for schedule(nonmonotonic : dynamic) nowait", 11)
    }
    for (int chain = 0; chain < CHAINS; chain++)
        for (int loop = 0; loop < LOOPS; loop++)
            for (int i = 0; i < N; i++)
                CHECK_EQ(times[chain][loop][i], 1);
    return check_result();
}
