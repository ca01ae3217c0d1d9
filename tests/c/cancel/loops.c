// A cancelled worksharing loop or sections construct ends early for all threads, and the region
// goes on: with static and dynamic schedules, in one region many times, orphaned, and combined.
//#Flags[gcc]:-Wno-error
//#Threads:1,2,4
//#Env:OMP_CANCELLATION=true
//#Timeout:60
#include "check.h"
#include <omp.h>

#define COUNT 1000

static int done[COUNT];

// Searches for `wanted`: the thread that has it cancels the loop.
#define SEARCH(name, clauses)                                                                      \
    static int name(int wanted)                                                                    \
    {                                                                                              \
        int found = -1, after = 0, rounds = 0;                                                     \
        _Pragma("omp parallel shared(found, after, rounds)")                                       \
        {                                                                                          \
            for (int round = 0; round < 10; round++) {                                             \
                _Pragma(clauses) for (int i = 0; i < COUNT; i++)                                   \
                {                                                                                  \
                    _Pragma("omp cancellation point for") done[i] = 1;                             \
                    if (i == wanted) {                                                             \
                        _Pragma("omp atomic write") found = i;                                     \
                        _Pragma("omp cancel for")                                                  \
                    }                                                                              \
                }                                                                                  \
                _Pragma("omp atomic") after += 1;                                                  \
                _Pragma("omp barrier")                                                             \
                _Pragma("omp single") rounds += 1;                                                 \
            }                                                                                      \
            _Pragma("omp master") CHECK_EQ(after, 10 * omp_get_num_threads());                     \
        }                                                                                          \
        CHECK_EQ(rounds, 10);                                                                      \
        return found;                                                                              \
    }

SEARCH(search_static, "omp for schedule(static)")
SEARCH(search_chunks, "omp for schedule(static, 3)")
SEARCH(search_dynamic, "omp for schedule(dynamic, 2)")
SEARCH(search_guided, "omp for schedule(guided)")
SEARCH(search_runtime, "omp for schedule(runtime)")

// A combined construct.
static int search_combined(int wanted)
{
    int found = -1;
#pragma omp parallel for shared(found) schedule(dynamic)
    for (int i = 0; i < COUNT; i++) {
#pragma omp cancellation point for
        if (i == wanted) {
            found = i;
#pragma omp cancel for
        }
    }
    return found;
}

// An orphaned loop, called inside and outside of a parallel region.
static void search_orphaned(int wanted, int *found)
{
#pragma omp for schedule(dynamic)
    for (int i = 0; i < COUNT; i++) {
        if (i == wanted) {
#pragma omp atomic write
            *found = i;
#pragma omp cancel for
        }
    }
}

static void sections(void)
{
    int after = 0, reached = 0;
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                reached += 1;
            }
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                reached += 1;
            }
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                reached += 1;
            }
        }
#pragma omp atomic
        after += 1;
#pragma omp barrier
#pragma omp master
        CHECK_EQ(after, (round + 1) * omp_get_num_threads());
#pragma omp barrier
    }
    CHECK_EQ(reached, 0);
}

// An if clause that is false makes the construct a cancellation point.
static int not_cancelled(void)
{
    int never = 0, sum = 0;
#pragma omp parallel for firstprivate(never) reduction(+ : sum)
    for (int i = 0; i < COUNT; i++) {
#pragma omp cancel for if (never)
        sum += 1;
    }
    return sum;
}

// The last value and the reduction of a cancelled loop are unspecified, those of the next are not.
static void reduction_after(void)
{
    long sum = 0, other = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : other) schedule(dynamic)
        for (int i = 0; i < COUNT; i++) {
            other += 1;
#pragma omp cancel for
        }
#pragma omp for reduction(+ : sum) schedule(dynamic, 7)
        for (int i = 0; i < COUNT; i++)
            sum += i;
    }
    CHECK_EQ(sum, (long)COUNT * (COUNT - 1) / 2);
    CHECK(other <= COUNT);
}

int main(void)
{
    for (int round = 0; round < 20; round++) {
        int wanted = round * 37 % COUNT, orphaned = -1;
        CHECK_EQ(search_static(wanted), wanted);
        CHECK_EQ(search_chunks(wanted), wanted);
        CHECK_EQ(search_dynamic(wanted), wanted);
        CHECK_EQ(search_guided(wanted), wanted);
        CHECK_EQ(search_runtime(wanted), wanted);
        CHECK_EQ(search_combined(wanted), wanted);
        search_orphaned(wanted, &orphaned);
        CHECK_EQ(orphaned, wanted);
        orphaned = -1;
#pragma omp parallel
        search_orphaned(wanted, &orphaned);
        CHECK_EQ(orphaned, wanted);
        sections();
        CHECK_EQ(not_cancelled(), COUNT);
        reduction_after();
    }
    return check_result();
}
