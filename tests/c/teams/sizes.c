// Leagues of changing sizes beside parallel regions of changing sizes, whose teams have the same
// threads: each has the number of threads that it asks for.
//#Opt:-O2
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

static unsigned state = 12345;

static int random_below(int limit)
{
    state = state * 1103515245u + 12345u;
    return (int)(state >> 16) % limit;
}

int main(void)
{
    omp_set_max_active_levels(3);
    for (int round = 0; round < 300; round++) {
        int teams = 1 + random_below(5), threads = 1 + random_below(4), size = 1 + random_below(5);
        int initial = 0, members = 0, deep = 0, flat = 0;
#pragma omp teams num_teams(teams) thread_limit(8) reduction(+ : initial, members, deep)
        {
            initial++;
            if (round % 3 != 0) {
#pragma omp parallel num_threads(threads) reduction(+ : members, deep)
                {
                    members++;
                    if (round % 5 == 0 && omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2) reduction(+ : deep)
                        deep += omp_get_active_level();
                    }
                }
            }
        }
#pragma omp parallel num_threads(size) reduction(+ : flat)
        flat += omp_get_active_level() == (size > 1);
        CHECK_EQ(initial, teams);
        CHECK_EQ(members, round % 3 != 0 ? teams * threads : 0);
        if (round % 3 != 0 && round % 5 == 0)
            CHECK_EQ(deep, teams * 2 * (1 + (threads > 1)));
        CHECK_EQ(flat, size);
    }
    return check_result();
}
