// Three active levels: numbers, ancestors and sizes are right at every level.
//#Opt:-O0,-O2
//#Vary:OMP_MAX_ACTIVE_LEVELS=1|2|3|9
//#Env:OMP_NUM_THREADS=3,2,2
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

static int count[4][64], sizes[4];

static void visit(int level)
{
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_ancestor_thread_num(level), omp_get_thread_num());
    CHECK_EQ(omp_get_team_size(level), omp_get_num_threads());
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(level + 1), -1);
    CHECK_EQ(omp_get_team_size(level + 1), -1);
    CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
    int path = 0;
    for (int i = 1; i <= level; i++)
        path = path * 4 + omp_get_ancestor_thread_num(i);
#pragma omp atomic
    count[level][path]++;
#pragma omp atomic write
    sizes[level] = omp_get_num_threads();
}

int main(void)
{
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
            visit(1);
#pragma omp parallel
            {
                visit(2);
#pragma omp parallel
                visit(3);
            }
            CHECK_EQ(omp_get_level(), 1);
        }
    }
    for (int level = 1; level < 4; level++) {
        int total = 0;
        for (int i = 0; i < 64; i++) {
            CHECK(count[level][i] == 0 || count[level][i] == 5);
            total += count[level][i];
        }
        printf("level %d: teams of %d, %d visits\n", level, sizes[level], total);
    }
    printf("active levels %d\n", omp_get_max_active_levels() < 9 ? omp_get_max_active_levels() : 9);
    return check_result();
}
