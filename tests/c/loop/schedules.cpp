// Every iteration exactly once: every schedule, chunk, type, bound and step.
//#Opt:-O0,-O2
//#Threads:1,2,3,4
//#Timeout:60
//#NoStderr
#include "check.h"
#include <climits>
#include <omp.h>
#include <vector>

// The iterations of a loop, as its distance from the first one in steps, and how often each ran.
class Seen {
    std::vector<int> times;

  public:
    explicit Seen(std::size_t count) : times(count) {}
    void mark(unsigned long index)
    {
        CHECK(index < times.size());
        if (index < times.size())
            __atomic_fetch_add(&times[index], 1, __ATOMIC_RELAXED);
    }
    void check(int line, int chunk) const
    {
        for (std::size_t i = 0; i < times.size(); i++)
            if (times[i] != 1) {
                fprintf(stderr, "line %d, chunk %d: iteration %zu of %zu ran %d times\n", line,
                             chunk, i, times.size(), times[i]);
                CHECK(times[i] == 1);
                return;
            }
    }
};

#define INDEX(i, first, step)                                                                      \
    ((step) > 0 ? ((unsigned long)(i) - (unsigned long)(first)) / (unsigned long)(step)            \
                : ((unsigned long)(first) - (unsigned long)(i)) / -(unsigned long)(step))

#define LOOP(clause, comparison, type, first, bound, step, count, chunk)                           \
    {                                                                                              \
        Seen seen(count);                                                                          \
        _Pragma("omp parallel") _Pragma(clause) for (type i = first; i comparison bound; i += step) \
            seen.mark(INDEX(i, first, step));                                                      \
        seen.check(__LINE__, chunk);                                                               \
    }

#define ALL(comparison, type, first, bound, step, count)                                           \
    LOOP("omp for schedule(static)", comparison, type, first, bound, step, count, 0)               \
    LOOP("omp for schedule(static, chunk)", comparison, type, first, bound, step, count, chunk)    \
    LOOP("omp for schedule(dynamic)", comparison, type, first, bound, step, count, 1)              \
    LOOP("omp for schedule(dynamic, chunk)", comparison, type, first, bound, step, count, chunk)   \
    LOOP("omp for schedule(monotonic : dynamic, chunk)", comparison, type, first, bound, step,     \
         count, chunk)                                                                             \
    LOOP("omp for schedule(guided)", comparison, type, first, bound, step, count, 1)               \
    LOOP("omp for schedule(guided, chunk)", comparison, type, first, bound, step, count, chunk)    \
    LOOP("omp for schedule(auto)", comparison, type, first, bound, step, count, 0)                 \
    LOOP("omp for schedule(runtime)", comparison, type, first, bound, step, count, 0)              \
    LOOP("omp for", comparison, type, first, bound, step, count, 0)

// GCC hands a dynamic loop that counts an unsigned int down to libgomp with a positive step.
#ifdef __clang__
#define COUNTS_DOWN(T) true
#else
#define COUNTS_DOWN(T) (sizeof(T) == sizeof(long) || T(-1) < T(0))
#endif

template <typename T> void common(int chunk)
{
    T step = 3, low = 5, high = 1000;
    ALL(<, T, low, high, 1, 995)
    ALL(<, T, low, high, step, 332)
    ALL(<=, T, low, high, step, 332)
    if (COUNTS_DOWN(T)) {
        ALL(>, T, high, low, -1, 995)
        ALL(>=, T, high, low, -1, 996)
    }
    ALL(<, T, high, low, 1, 0)
    ALL(<, T, low, low, 1, 0)
    ALL(<=, T, low, low, 1, 1)
    ALL(<, T, low, low + 1, step, 1)
    ALL(<, T, low, low + 2, 1, 2)
}

// At the ends of the types; the bound plus a step must not overflow.
static void extremes(int chunk)
{
    int far = 1 << 28;
    ALL(<, int, INT_MIN, INT_MIN + 100, 7, 15)
    ALL(<, int, INT_MAX - 105, INT_MAX, 7, 15)
    ALL(<, int, INT_MIN, INT_MIN + 4 * far, far, 4)
    ALL(>, int, INT_MAX, INT_MAX - 4 * far, -far, 4)
    ALL(>, int, -5, -50, -4, 12)
    ALL(<, unsigned, 0u, UINT_MAX - (1u << 28), 1u << 28, 15)
    ALL(<, unsigned, UINT_MAX - 90u, UINT_MAX, 9u, 10)
    if (COUNTS_DOWN(unsigned)) {
        ALL(>, unsigned, UINT_MAX, 0x80000000u, -(1 << 28), 8)
    }
    ALL(<, long, LONG_MIN, LONG_MIN + 100, 7, 15)
    ALL(<, long, LONG_MAX - 105, LONG_MAX, 7, 15)
    ALL(>, long, LONG_MAX, LONG_MAX - 100, -7, 15)
    ALL(<, long, -(1L << 61), 1L << 61, 1L << 58, 16)
    ALL(<, unsigned long, 0ul, ULONG_MAX - (1ul << 60), 1ul << 60, 15)
    ALL(<, unsigned long, ULONG_MAX - 90ul, ULONG_MAX, 9ul, 10)
    ALL(>, unsigned long, ULONG_MAX, 1ul << 63, -(1l << 60), 8)
}

int main()
{
    omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    int chunks[] = {1, 2, 7, 5000};
    for (int turn = 0; turn < 4; turn++) {
        omp_set_schedule(kinds[turn], chunks[3 - turn]);
        common<int>(chunks[turn]);
        common<unsigned>(chunks[turn]);
        common<long>(chunks[turn]);
        common<unsigned long>(chunks[turn]);
        extremes(chunks[turn]);
    }
    return check_result();
}
