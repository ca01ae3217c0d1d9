// Target regions that are written for GPUs: the threads of a region, and those of all teams, are no more
// than the processors carry, whatever the clauses say; a few threads are to be had on any machine.
//#Compilers:gcc
//#Opt:-O0,-O2
//#NoStderr
//#ReferenceFails:libgomp makes as many threads as the clauses say
#include "check.h"
#include <omp.h>

enum { FEW = 16 };

static int most(void)
{
    int processors = omp_get_num_procs();
    return processors > FEW ? processors : FEW;
}

static void raise_to(int *most, int value)
{
    int seen = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (value > seen
           && !__atomic_compare_exchange_n(most, &seen, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static int region(int threads)
{
    int members = 0;
#pragma omp target map(tofrom : members)
#pragma omp parallel num_threads(threads)
#pragma omp atomic
    members++;
    return members;
}

static int league(int teams, int limit, int threads)
{
    int largest = 0, formed = 0;
#pragma omp target teams num_teams(teams) thread_limit(limit) map(tofrom : largest, formed)
    {
        int members = 0;
        __atomic_fetch_add(&formed, 1, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(threads) shared(members)
#pragma omp atomic
        members++;
        raise_to(&largest, members);
    }
    CHECK_EQ(formed, teams);
    return largest;
}

int main(void)
{
    for (int threads = 1; threads <= FEW; threads++)
        CHECK_EQ(region(threads), threads);
    CHECK(region(10000) <= most());
    CHECK(league(1000, 256, 256) <= most());
    CHECK_EQ(league(4, 256, 8), 8);
    CHECK_EQ(league(4, 5, 8), 5);
    int limit = 0, limited = 0, host = omp_get_thread_limit(), members = 0;
#pragma omp target map(from : limit)
    limit = omp_get_thread_limit();
#pragma omp target map(from : limited) thread_limit(100000)
    limited = omp_get_thread_limit();
    CHECK(limit >= FEW && limit <= most());
    CHECK_EQ(limited, limit);
    // Nested regions share the limit.
    int now = 0, busiest = 0;
#pragma omp target map(tofrom : now, busiest)
    {
        omp_set_max_active_levels(3);
#pragma omp parallel num_threads(4)
#pragma omp parallel num_threads(100)
        {
            raise_to(&busiest, __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED));
#pragma omp barrier
            __atomic_sub_fetch(&now, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK(busiest >= 4 && busiest <= most());
    // The host has no limit.
    CHECK_EQ(omp_get_thread_limit(), host);
#pragma omp parallel num_threads(40) reduction(+ : members)
    members++;
    CHECK_EQ(members, 40);
    return check_result();
}
