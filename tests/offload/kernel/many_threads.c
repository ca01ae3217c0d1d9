// Kernels that are written for GPUs: the threads of a region, and those of each team, are no more than
// the processors carry, whatever the clauses say; a few threads are to be had on any machine. Devices
// have limits by their numbers.
//#Env:OMP_THREAD_LIMIT_DEV_1=3
//#Env:OMP_THREAD_LIMIT_DEV_2=30
//#Env:OMP_TEAMS_THREAD_LIMIT_DEV_2=25
//#StockFails:it has no variables for devices
//#LibompFails:it makes as many threads as the clauses say, or one in each of few teams
#include "check.h"
#include <omp.h>

enum { FEW = 16 };

static int most(void)
{
    int processors = omp_get_num_procs();
    return processors > FEW ? processors : FEW;
}

#pragma omp begin declare target
static void raise_to(int *most, int value)
{
    int seen = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (value > seen
           && !__atomic_compare_exchange_n(most, &seen, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}
#pragma omp end declare target

static int region(int device, int threads)
{
    int members = 0;
#pragma omp target map(tofrom : members) device(device)
#pragma omp parallel num_threads(threads)
#pragma omp atomic
    members++;
    return members;
}

static int limited_region(int limit, int threads)
{
    int members = 0;
#pragma omp target map(tofrom : members) thread_limit(limit)
#pragma omp parallel num_threads(threads)
#pragma omp atomic
    members++;
    return members;
}

static int league(int device, int teams, int limit, int threads)
{
    int largest = 0, formed = 0;
#pragma omp target teams num_teams(teams) thread_limit(limit) map(tofrom : largest, formed) device(device)
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
        CHECK_EQ(region(0, threads), threads);
    CHECK(region(0, 10000) <= most());
    CHECK(limited_region(10000, 10000) <= most());
    CHECK_EQ(limited_region(5, 10000), 5);
    CHECK(league(0, 1000, 256, 256) <= most());
    CHECK_EQ(league(0, 4, 256, 8), 8);
    CHECK_EQ(league(0, 4, 5, 8), 5);
    int sum = 0, largest = 0, teams_limit = 0;
#pragma omp target teams distribute parallel for num_teams(1000) num_threads(256) reduction(+ : sum)         \
    reduction(max : largest)
    for (int i = 0; i < 100000; i++) {
        sum += i % 7;
        if (omp_get_num_threads() > largest)
            largest = omp_get_num_threads();
    }
    CHECK_EQ(sum, 299995);
    CHECK(largest <= most());
    // Devices of a number.
    CHECK_EQ(region(1, 10000), 3);
    CHECK_EQ(region(2, 10000), 30);
    CHECK_EQ(league(1, 3, 256, 256), 3);
#pragma omp target map(from : teams_limit) device(2)
    teams_limit = omp_get_teams_thread_limit();
    CHECK_EQ(teams_limit, 25);
    CHECK_EQ(omp_get_teams_thread_limit(), 0);
    CHECK_EQ(omp_get_thread_limit(), 2147483647);
    return check_result();
}
