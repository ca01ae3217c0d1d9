// After fork(2) the child's thread is where it was, and its teams are bound again.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p1>},{<p0>}
//#Env:OMP_PROC_BIND=close
//#Env:OMP_NUM_THREADS=2
//#Timeout:10
//#ReferenceFails:the child hangs in its first region
#include "bound.h"
#include <sys/wait.h>
#include <unistd.h>

static void region(void)
{
#pragma omp parallel
    {
        CHECK_EQ(check_bound(), omp_get_thread_num());
        CHECK_EQ(only_processor(), processor_at(1 - omp_get_thread_num()));
    }
    CHECK_EQ(only_processor(), processor_at(1));
}

int main(void)
{
    int status = -1;
    region();
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQ(check_bound(), 0);
        CHECK_EQ(only_processor(), processor_at(1));
        region();
        CHECK_EQ(omp_get_num_places(), 2);
        _exit(check_result());
    }
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
    region();
    return check_result();
}
