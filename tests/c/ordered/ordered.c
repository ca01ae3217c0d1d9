// Ordered blocks run in the order of the iterations, in every schedule; some iterations skip theirs.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 200 };

#define LOOP(clause, type, first, comparison, bound, step)                                         \
    {                                                                                              \
        int next = 0, order[N], work = 0;                                                          \
        _Pragma(clause) for (type i = first; i comparison bound; i += step)                        \
        {                                                                                          \
            _Pragma("omp atomic") work++;                                                          \
            if (i % 3 != 1) {                                                                      \
                _Pragma("omp ordered") order[next++] = (int)i;                                     \
            }                                                                                      \
        }                                                                                          \
        int wanted = 0, all = 0;                                                                   \
        for (type i = first; i comparison bound; i += step, all++)                                 \
            if (i % 3 != 1) {                                                                      \
                CHECK(wanted < next);                                                              \
                CHECK_EQ(order[wanted], i);                                                        \
                wanted++;                                                                          \
            }                                                                                      \
        CHECK_EQ(next, wanted);                                                                    \
        CHECK_EQ(work, all);                                                                       \
    }

int main(void)
{
    for (int round = 0; round < 5; round++) {
        LOOP("omp parallel for ordered schedule(static)", int, 0, <, N, 1)
        LOOP("omp parallel for ordered schedule(static, 3)", long, 0, <, N, 1)
        LOOP("omp parallel for ordered schedule(dynamic)", int, 0, <, N, 1)
        LOOP("omp parallel for ordered schedule(dynamic, 4)", unsigned long, 1, <=, N, 2)
        LOOP("omp parallel for ordered schedule(guided)", int, N - 1, >=, 0, -1)
        LOOP("omp parallel for ordered schedule(guided, 2)", long, 0, <, N, 3)
        LOOP("omp parallel for ordered schedule(runtime)", int, 0, <, N, 1)
        LOOP("omp parallel for ordered", int, 0, <, 1, 1)
        LOOP("omp parallel for ordered schedule(dynamic)", int, 0, <, 0, 1)
    }
    return check_result();
}
