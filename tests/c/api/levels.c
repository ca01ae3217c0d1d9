// The routines that tell a thread where it is, outside, in teams of one and in nested teams.
//#Env:OMP_NUM_THREADS=3
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#SameStdoutAs:reference
#include "check.h"
#include <omp.h>

static void show(const char *where)
{
    printf("%s: %d/%d level %d active %d in %d:", where, omp_get_thread_num(),
           omp_get_num_threads(), omp_get_level(), omp_get_active_level(), omp_in_parallel());
    for (int level = -1; level <= omp_get_level() + 1; level++)
        printf(" %d/%d", omp_get_ancestor_thread_num(level), omp_get_team_size(level));
    printf("\n");
}

int main(void)
{
    show("outside");
#pragma omp parallel
    {
        if (omp_get_thread_num() == 2) {
            show("outer");
#pragma omp parallel num_threads(1)
            {
                show("one");
#pragma omp parallel num_threads(2)
                if (omp_get_thread_num() == 1)
                    show("inner");
            }
#pragma omp parallel if (0)
            show("if(0)");
            show("outer again");
        }
    }
    show("outside again");
    CHECK_EQ(omp_get_num_threads(), 1);
    return check_result();
}
