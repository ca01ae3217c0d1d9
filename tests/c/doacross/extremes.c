// Bounds at the ends of their types, and steps that pass most of the range at once. The first
// iteration has no sink: its vector would be beyond the type.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static,1|dynamic
//#NoStderr
#include "check.h"
#include <limits.h>

// 2^61 - 1, 2^30 - 1 and 2^62: gcc takes no expression in a sink.
#define FAR 2305843009213693951
#define MIDDLE 1073741823
#define HIGH 4611686018427387904

#define CHAIN(T, first, test, last, step, sink, count)                                             \
    {                                                                                              \
        long found = 0;                                                                            \
        _Pragma("omp parallel for ordered(1) schedule(runtime)")                                   \
        for (T i = first; i test last; i += step) {                                                \
            if (i != (T)(first)) {                                                                 \
                _Pragma(sink)                                                                      \
            }                                                                                      \
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
#ifdef __clang__
    // gcc's code counts no more iterations than its signed types have values, and waits for the
    // wrong iterations of an unsigned loop that does not begin at 0.
    CHAIN(long long, LLONG_MIN, <, LLONG_MAX - FAR, FAR,
          "omp ordered depend(sink : i - 2305843009213693951)", 8)
    CHAIN(long long, LLONG_MAX, >, LLONG_MIN + FAR, -FAR,
          "omp ordered depend(sink : i + 2305843009213693951)", 8)
    CHAIN(int, INT_MIN, <, INT_MAX - MIDDLE, MIDDLE, "omp ordered depend(sink : i - 1073741823)", 4)
    CHAIN(unsigned, UINT_MAX - 50, <, UINT_MAX, 1, "omp ordered depend(sink : i - 1)", 50)
    CHAIN(unsigned long long, ULLONG_MAX - 50, <, ULLONG_MAX, 1, "omp ordered depend(sink : i - 1)",
          50)
#endif
    CHAIN(int, INT_MAX - 50, <, INT_MAX, 1, "omp ordered depend(sink : i - 1)", 50)
    CHAIN(long long, LLONG_MIN, <, LLONG_MIN + 50, 1, "omp ordered depend(sink : i - 1)", 50)
    CHAIN(unsigned long long, 0, <, ULLONG_MAX - HIGH, HIGH,
          "omp ordered depend(sink : i - 4611686018427387904)", 3)
    return check_result();
}
