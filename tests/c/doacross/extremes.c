// Bounds at the ends of their types, and steps that pass most of the range at once.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static,1|dynamic
//#NoStderr
#include "check.h"
#include <limits.h>

#define CHAIN(T, first, test, last, step, count)                                                   \
    {                                                                                              \
        long found = 0;                                                                            \
        _Pragma("omp parallel for ordered(1) schedule(runtime)") for (T i = first; i test last; i += step) \
        {                                                                                          \
            SINK(step)                                                                             \
            found = found * 3 % 1009 + 1;                                                          \
            _Pragma("omp ordered depend(source)")                                                  \
        }                                                                                          \
        long wanted = 0;                                                                           \
        for (int i = 0; i < (count); i++)                                                          \
            wanted = wanted * 3 % 1009 + 1;                                                        \
        CHECK_EQ(found, wanted);                                                                   \
    }

int main(void)
{
#define SINK(step) _Pragma("omp ordered depend(sink : i - (LLONG_MAX / 4))")
    CHAIN(long long, LLONG_MIN, <, LLONG_MAX - LLONG_MAX / 4, LLONG_MAX / 4, 7)
#undef SINK
#define SINK(step) _Pragma("omp ordered depend(sink : i + (LLONG_MAX / 4))")
    CHAIN(long long, LLONG_MAX, >, LLONG_MIN + LLONG_MAX / 4, -(LLONG_MAX / 4), 7)
#undef SINK
#define SINK(step) _Pragma("omp ordered depend(sink : i - (INT_MAX / 3))")
    CHAIN(int, INT_MIN, <, INT_MAX - INT_MAX / 3, INT_MAX / 3, 6)
#undef SINK
#define SINK(step) _Pragma("omp ordered depend(sink : i - 1)")
    CHAIN(int, INT_MAX - 50, <, INT_MAX, 1, 50)
    CHAIN(long long, LLONG_MIN, <, LLONG_MIN + 50, 1, 50)
    CHAIN(unsigned, UINT_MAX - 50, <, UINT_MAX, 1, 50)
    CHAIN(unsigned long long, ULLONG_MAX - 50, <, ULLONG_MAX, 1, 50)
#undef SINK
#define SINK(step) _Pragma("omp ordered depend(sink : i - (ULLONG_MAX / 5))")
    CHAIN(unsigned long long, 0, <, ULLONG_MAX - ULLONG_MAX / 5, ULLONG_MAX / 5, 4)
    return check_result();
}
