// lastprivate(conditional): the sequentially last assignment wins. gcc keeps in memory of the team who
// that was, and errs in loops that go downwards; clang does not know the modifier.
//#Compilers:gcc
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Timeout:60
//#Flags:-Wno-maybe-uninitialized
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 100, ROUNDS = 50 };

#define PRAGMA(words) _Pragma(#words)

#define LOOP(clause, type, first, comparison, bound, step)                                         \
    {                                                                                              \
        long assigned = -1, wanted = -1;                                                           \
        PRAGMA(omp parallel for lastprivate(conditional : assigned) clause)                        \
        for (type i = first; i comparison bound; i += step)                                        \
            if (i % 7 == (type)(round % 7))                                                        \
                assigned = (long)i;                                                                \
        for (type i = first; i comparison bound; i += step)                                        \
            if (i % 7 == (type)(round % 7))                                                        \
                wanted = (long)i;                                                                  \
        CHECK_EQ(assigned, wanted);                                                                \
    }

// Not known to the compiler, so that bounds keep their type.
static volatile int limit = N;

// An orphaned loop has the memory from the runtime.
#define ORPHAN(name, construct, type)                                                              \
    static long name(int round)                                                                    \
    {                                                                                              \
        static long assigned;                                                                      \
        assigned = -1;                                                                             \
        PRAGMA(omp barrier)                                                                        \
        PRAGMA(omp construct lastprivate(conditional : assigned))                                  \
        for (type i = 0; i < (type)limit; i++) {                                                   \
            ORDERED                                                                                \
            if (i % 7 == (type)(round % 7))                                                        \
                assigned = (long)i;                                                                \
        }                                                                                          \
        return assigned;                                                                           \
    }

#define ORDERED
ORPHAN(blocks, for schedule(static), int)
ORPHAN(cyclic, for schedule(static, 3), unsigned long long)
ORPHAN(on_demand, for schedule(dynamic, 3), long)
ORPHAN(monotonic, for schedule(monotonic : dynamic), unsigned long long)
ORPHAN(shrinking, for schedule(guided), unsigned long long)
ORPHAN(by_environment, for schedule(runtime), int)
#undef ORDERED
#define ORDERED PRAGMA(omp ordered)
ORPHAN(ordered_blocks, for ordered schedule(static, 2), int)
ORPHAN(ordered_on_demand, for ordered schedule(dynamic), unsigned long long)
ORPHAN(ordered_shrinking, for ordered schedule(guided), long)

static long in_sections(int round)
{
    static long assigned;
    assigned = -1;
#pragma omp barrier
#pragma omp sections lastprivate(conditional : assigned)
    {
        assigned = round;
#pragma omp section
        assigned = 2 * round;
#pragma omp section
        if (round > ROUNDS)
            assigned = 0;
    }
    return assigned;
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        LOOP(schedule(static), int, 0, <, N, 1)
        LOOP(schedule(dynamic, 3), int, 0, <, N, 1)
        LOOP(schedule(guided), long, -3, <, N, 1)
        LOOP(schedule(runtime), unsigned long, 3, <, N, 2)
    }
    static long (*const orphans[])(int) = {
        blocks, cyclic, on_demand, monotonic, shrinking, by_environment,
        ordered_blocks, ordered_on_demand, ordered_shrinking,
    };
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned which = 0; which < sizeof orphans / sizeof *orphans; which++)
            CHECK_EQ(orphans[which](round), (N - 1 - round % 7) / 7 * 7 + round % 7);
        CHECK_EQ(in_sections(round), 2 * round);
    }
    long shared = -1, ordered = -1, section = -1;
    int order[N], next = 0;
    // gcc counts iterations from where a thread begins its region: each loop is met once there.
    for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel
    {
#pragma omp for lastprivate(conditional : shared) schedule(monotonic : dynamic)
        for (int i = 0; i < N; i++)
            if (i < N - round)
                shared = i;
        CHECK_EQ(shared, N - round - 1);
#pragma omp barrier
#pragma omp for lastprivate(conditional : shared) schedule(nonmonotonic : dynamic, 4)
        for (unsigned long long i = 0; i < N; i += 2)
            if (i < N - (unsigned long long)round)
                shared = (long)i;
        CHECK_EQ(shared, N - 2 - round / 2 * 2);
#pragma omp single
        next = 0;
#pragma omp for ordered lastprivate(conditional : ordered) schedule(static, 3)
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            order[next++] = i;
            if (i % 5 == round % 5)
                ordered = i;
        }
        CHECK_EQ(next, N);
        CHECK_EQ(order[N / 2], N / 2);
        CHECK_EQ(ordered, N - 5 + round % 5);
#pragma omp barrier
#pragma omp for ordered lastprivate(conditional : ordered) schedule(guided)
        for (unsigned long long i = 0; i < N; i++) {
#pragma omp ordered
            if (i % 5 == 2)
                ordered = (long)i;
        }
        CHECK_EQ(ordered, N - 3);
#pragma omp sections lastprivate(conditional : section)
        {
            section = round;
#pragma omp section
            section = round % 2 ? -round : round;
#pragma omp section
            if (round > ROUNDS)
                section = 0;
        }
        CHECK_EQ(section, round % 2 ? -round : round);
#pragma omp barrier
    }
    return check_result();
}
