// The clause wins over the routine, the routine over the environment; teams grow and shrink.
//#Env:OMP_NUM_THREADS=3
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

static int team(int requested)
{
    int size = -1, members = 0;
#pragma omp parallel num_threads(requested) reduction(+ : members)
    {
        members = 1;
#pragma omp master
        size = omp_get_num_threads();
    }
    CHECK_EQ(members, size);
    return size;
}

int main(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp master
    size = omp_get_num_threads();
    CHECK_EQ(size, 3);

    omp_set_num_threads(5);
    CHECK_EQ(omp_get_max_threads(), 5);
#pragma omp parallel
#pragma omp master
    size = omp_get_num_threads();
    CHECK_EQ(size, 5);

    const int sizes[] = {2, 8, 1, 4, 4, 3, 16, 1, 2, 7};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK_EQ(team(sizes[i]), sizes[i]);
        printf("%d ", sizes[i]);
    }
    CHECK_EQ(omp_get_max_threads(), 5);
    printf("%d\n", omp_get_max_threads());
    return check_result();
}
