// Loops at the ends of their types, up and down, in every schedule: each iteration once.
//#Opt:-O0,-O2
//#Threads:1,2,3,8
//#Timeout:60
//#NoStderr
#include "check.h"
#include <limits.h>
#include <omp.h>

// Iterations are counted by their distance from the first.
#define LOOP(schedule, type, first, comparison, bound, step, magnitude, count)                     \
    {                                                                                              \
        int times[count] = {0}, others = 0;                                                        \
        _Pragma(schedule) for (type i = first; i comparison bound; i += step)                      \
        {                                                                                          \
            unsigned long long from = (unsigned long long)(first), at = (unsigned long long)i;     \
            unsigned long long distance = step > 0 ? at - from : from - at;                        \
            if (distance % (magnitude) || distance / (magnitude) >= count) {                       \
                _Pragma("omp atomic") others++;                                                    \
            } else {                                                                               \
                _Pragma("omp atomic") times[distance / (magnitude)]++;                             \
            }                                                                                      \
        }                                                                                          \
        CHECK_EQ(others, 0);                                                                       \
        for (int i = 0; i < count; i++)                                                            \
            CHECK_EQ(times[i], 1);                                                                 \
    }

// The specification leaves it open what happens if the number of iterations is not computed without
// overflow (5.2 section 4.4.1): gcc's inline code does not. Nor does gcc extend a negative step of
// an unsigned loop by its sign.
#ifdef __clang__
#define WIDE(schedule)                                                                             \
    LOOP(schedule, int, INT_MIN, <, INT_MAX - 1000000000, 1000000000, 1000000000ull, 4)            \
    LOOP(schedule, int, INT_MAX, >, INT_MIN + 1000000000, -1000000000, 1000000000ull, 4)           \
    LOOP(schedule, unsigned, 5, >, 0, -1, 1ull, 5)                                                 \
    LOOP(schedule, long, LONG_MIN, <, LONG_MAX - (1l << 62), (1l << 62), (1ull << 62), 3)          \
    LOOP(schedule, long, LONG_MAX, >, LONG_MIN + (1l << 62), -(1l << 62), (1ull << 62), 3)
#else
#define WIDE(schedule)
#endif

// A step below the least distance to the end of the type keeps the sequential loop defined.
#define TYPES(schedule)                                                                            \
    WIDE(schedule)                                                                                 \
    LOOP(schedule, int, INT_MAX - 20, <, INT_MAX - 2, 3, 3ull, 6)                                  \
    LOOP(schedule, int, INT_MIN + 20, >, INT_MIN + 2, -3, 3ull, 6)                                 \
    LOOP(schedule, unsigned, UINT_MAX - 9, <, UINT_MAX, 1, 1ull, 9)                                \
    LOOP(schedule, long, LONG_MAX - 10, <, LONG_MAX, 1, 1ull, 10)                                  \
    LOOP(schedule, long, LONG_MIN + 10, >, LONG_MIN, -1, 1ull, 10)                                 \
    LOOP(schedule, unsigned long long, ULLONG_MAX - 10, <, ULLONG_MAX, 1, 1ull, 10)                \
    LOOP(schedule, unsigned long long, 10, >, 0, -1, 1ull, 10)                                     \
    LOOP(schedule, short, SHRT_MAX - 5, <, SHRT_MAX, 1, 1ull, 5)

int main(void)
{
    TYPES("omp parallel for schedule(static)")
    TYPES("omp parallel for schedule(static, 2)")
    TYPES("omp parallel for schedule(dynamic)")
    TYPES("omp parallel for schedule(monotonic : dynamic, 2)")
    TYPES("omp parallel for schedule(dynamic, 1000)")
    TYPES("omp parallel for schedule(guided)")
    TYPES("omp parallel for schedule(guided, 4)")
    TYPES("omp parallel for schedule(auto)")
    TYPES("omp parallel for schedule(runtime)")
    TYPES("omp parallel for ordered schedule(dynamic)")
    return check_result();
}
