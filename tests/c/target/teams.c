// teams constructs in target regions: the league's clauses, distribute and composite loops, and what
// follows the region.
//#Opt:-O0,-O2
//#Threads:1,4
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#NoStderr
#include "check.h"
#include <omp.h>

enum { LENGTH = 1000 };

int main(void)
{
    int teams = 0, sum = 0, limit_kept = 1;
    static int array[LENGTH], other[LENGTH];
#pragma omp target teams num_teams(3) thread_limit(2) map(tofrom : teams, limit_kept)
    {
        CHECK(omp_get_num_teams() <= 3);
        __atomic_fetch_add(&teams, 1, __ATOMIC_RELAXED);
#pragma omp parallel
        if (omp_get_num_threads() > 2 || omp_get_level() != 1)
            __atomic_store_n(&limit_kept, 0, __ATOMIC_RELAXED);
    }
    CHECK(teams >= 1 && teams <= 3);
    CHECK(limit_kept);
    for (int round = 0; round < 20; round++) {
#pragma omp target teams distribute parallel for map(tofrom : array) reduction(+ : sum) num_teams(4)
        for (int i = 0; i < LENGTH; i++) {
            array[i] += i;
            sum += i;
        }
#pragma omp target teams distribute parallel for map(tofrom : other) map(to : array) nowait                \
    depend(inout : other)
        for (int i = 0; i < LENGTH; i++)
            other[i] = array[i];
#pragma omp taskwait
    }
    CHECK_EQ(sum, 20 * (LENGTH * (LENGTH - 1) / 2));
    for (int i = 0; i < LENGTH; i++)
        CHECK(array[i] == 20 * i && other[i] == array[i]);
    // In a parallel region, a league on each thread.
    int ran = 0;
#pragma omp parallel num_threads(2) reduction(+ : ran)
    {
#pragma omp target teams num_teams(2) thread_limit(1) map(tofrom : ran)
        if (omp_get_team_num() == 0)
            ran++;
        CHECK_EQ(omp_get_num_teams(), 1);
        CHECK_EQ(omp_get_level(), 1);
    }
    CHECK_EQ(ran, 2);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    return check_result();
}
