// fork(2) in a target region and beside one: the child goes on with a runtime that works.
//#Compilers:gcc
//#Flags:-D_GNU_SOURCE
//#Threads:4
//#NotRecorded:children end without their tool
//#ReferenceFails:a child of libgomp hangs
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int members(void)
{
    int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
    members++;
    return members;
}

static int in_target(void)
{
    int found = 0;
#pragma omp target map(from : found)
    found = omp_get_level() == 0 ? members() : -1;
    return found;
}

static void expect(pid_t child)
{
    int status = 0;
    CHECK(child > 0);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

int main(void)
{
    CHECK_EQ(in_target(), 3);
    pid_t child = fork();
    if (child == 0)
        _exit(in_target() != 3 || members() != 3);
    expect(child);
#pragma omp target map(child)
    {
        CHECK_EQ(members(), 3);
        child = fork();
        if (child == 0 && members() != 3)
            _exit(1);
    }
    if (child == 0)
        _exit(in_target() != 3 || members() != 3);
    expect(child);
    // In a region inside a target region, inside a region.
    CHECK_EQ(members(), 3);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        pid_t inner = -1;
#pragma omp target map(inner)
        {
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 0) {
                inner = fork();
                if (inner == 0)
                    _exit(omp_get_num_threads() != 1 || omp_get_level() != 1 || in_target() != 3);
            }
        }
        expect(inner);
    }
    CHECK_EQ(in_target(), 3);
    return check_result();
}
