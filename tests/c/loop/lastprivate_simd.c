// Where the loop's end lies between two iterations, the last one's value comes out all the same: gcc
// compares the end of a thread's last chunk with the loop's.
//#Opt:-O0,-O2
//#Threads:1,2,3,4
//#ReferenceFails:libomp's dynamic loops with chunks lose the last iteration's mark now and then
//#NoStderr
#include "check.h"

#define TEXT(x) #x
#define SIMD(schedule_clause) TEXT(omp parallel for simd lastprivate(last) schedule_clause)

#define UP(clause, type, end, step)                                                                \
    {                                                                                              \
        long last = -1;                                                                            \
        _Pragma(clause) for (type i = 0; i < end; i += step) last = (long)i;                       \
        CHECK_EQ(last, (end - 1) / step * step);                                                   \
    }

#define DOWN(clause, type, start, step)                                                            \
    {                                                                                              \
        long last = -1;                                                                            \
        _Pragma(clause) for (type i = start; i > 1; i -= step) last = (long)i;                     \
        CHECK_EQ(last, start - (start - 2) / step * step);                                         \
    }

#define ALL(schedule_clause)                                                                       \
    UP(SIMD(schedule_clause), int, 109, 7)                                                         \
    UP(SIMD(schedule_clause), long, 1000, 999)                                                     \
    UP(SIMD(schedule_clause), unsigned long long, 110, 7)                                          \
    DOWN(SIMD(schedule_clause), short, 109, 7)                                                     \
    DOWN(SIMD(schedule_clause), long long, 333, 10)

// The loop in a region of its own, whose start is an entry of its own.
static void apart(void)
{
    long dynamic = -1, guided = -1, wide = -1, runtime = -1;
#pragma omp parallel
    {
#pragma omp for simd lastprivate(dynamic) schedule(dynamic, 2)
        for (int i = 0; i < 109; i += 7)
            dynamic = i;
#pragma omp for simd lastprivate(guided) schedule(simd : guided, 3)
        for (long i = 200; i > 3; i -= 11)
            guided = i;
#pragma omp for simd lastprivate(wide) schedule(monotonic : dynamic, 5)
        for (unsigned long long i = 5; i < 107; i += 4)
            wide = (long)i;
#pragma omp for simd lastprivate(runtime) schedule(runtime)
        for (int i = 0; i < 50; i += 4)
            runtime = i;
    }
    CHECK_EQ(dynamic, 105);
    CHECK_EQ(guided, 13);
    CHECK_EQ(wide, 105);
    CHECK_EQ(runtime, 48);
}

int main(void)
{
    for (int round = 0; round < 10; round++) {
        ALL(schedule(static))
        ALL(schedule(static, 3))
        ALL(schedule(dynamic, 2))
        ALL(schedule(simd : dynamic, 7))
        ALL(schedule(monotonic : dynamic))
        ALL(schedule(guided))
        ALL(schedule(simd : guided, 2))
        ALL(schedule(runtime))
        apart();
    }
    return 0;
}
