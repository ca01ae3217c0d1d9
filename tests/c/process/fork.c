// After fork(2) both processes go on with regions, whether or not the parent had a team before.
//#Threads:1,4
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp hangs in its first region
//#NoStderr
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(int size)
{
    int members = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
    {
        members += 1;
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++) {
        }
    }
    return members;
}

static int child_of(int generation, int size)
{
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQ(omp_get_level(), 0);
        for (int i = 0; i < 5; i++)
            CHECK_EQ(region(size), size);
        CHECK_EQ(region(size + 3), size + 3);
        if (generation > 0)
            CHECK_EQ(child_of(generation - 1, size), 0);
        _exit(check_result());
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

int main(void)
{
    int size = omp_get_max_threads();
    // The first fork comes before the first region.
    for (int round = 0; round < 4; round++) {
        CHECK_EQ(child_of(2, size), 0);
        CHECK_EQ(region(size), size);
    }
    return check_result();
}
