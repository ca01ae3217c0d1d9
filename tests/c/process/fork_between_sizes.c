// A child made after a region of one thread that follows larger ones, or within one, has working
// teams of both sizes.
//#Opt:-O0,-O2
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp hangs
//#Timeout:60
//#NoStderr
#include "child.h"
#include <omp.h>

static void region(int size)
{
    int members = 0, iterations = 0;
#pragma omp parallel num_threads(size) reduction(+ : members, iterations)
    {
        members++;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 30; i++)
            iterations++;
    }
    CHECK_EQ(members, size);
    CHECK_EQ(iterations, 30);
}

static void regions(void)
{
    for (int round = 0; round < 3; round++) {
        region(1);
        region(3);
        region(1);
        region(2);
    }
}

static void fork_and_wait(void)
{
    pid_t child = fork();
    if (child != 0) {
        must_succeed(child);
        return;
    }
    regions();
    _exit(check_result());
}

int main(void)
{
    regions();
    region(1);
    fork_and_wait();
    // In the region the child goes on with its thread alone.
#pragma omp parallel num_threads(1)
    {
        fork_and_wait();
        regions();
    }
    // The other thread of the region is gone, and the team of the regions before is still there.
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        fork_and_wait();
    regions();
    return check_result();
}
