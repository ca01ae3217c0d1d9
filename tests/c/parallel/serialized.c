// Regions of one thread, by clause and by the nesting limit, many deep.
//#Threads:1,4
//#Env:OMP_MAX_ACTIVE_LEVELS=1
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

static int descend(int depth)
{
    int sum = 0;
    if (depth == 0)
        return omp_get_level();
#pragma omp parallel num_threads(1) reduction(+ : sum)
    {
        CHECK_EQ(omp_get_num_threads(), 1);
        CHECK_EQ(omp_get_thread_num(), 0);
        sum += descend(depth - 1);
    }
    return sum;
}

int main(void)
{
    printf("%d\n", descend(20));
    CHECK_EQ(omp_get_level(), 0);
    int inner = 0, outer = 0;
#pragma omp parallel reduction(+ : inner, outer)
    {
        outer += 1;
#pragma omp parallel num_threads(4) reduction(+ : inner)
        {
            // A team of one does not count as an active level.
            int expected = omp_get_team_size(1) > 1 ? 1 : 4;
            inner += 1;
            CHECK_EQ(omp_get_num_threads(), expected);
            CHECK_EQ(omp_get_level(), 2);
            CHECK_EQ(omp_get_active_level(), 1);
            CHECK(omp_in_parallel());
        }
    }
    CHECK_EQ(inner, outer > 1 ? outer : 4);
    printf("%d %d\n", inner, outer);
    return check_result();
}
