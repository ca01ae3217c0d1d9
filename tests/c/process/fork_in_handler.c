// fork(2) from a signal handler, which interrupts main outside of regions and within one: the child
// has regions after the handler's return, and the parent goes on.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp hangs in its first region
//#NoStderr
#include "check.h"
#include <omp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child = -1;

static void handler(int signal)
{
    (void)signal;
    child = fork();
}

static int region(void)
{
    int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
    members += 1;
    return members;
}

static void finish(void)
{
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    child = -1;
}

int main(void)
{
    signal(SIGUSR1, handler);
    for (int round = 0; round < 10; round++) {
        CHECK_EQ(region(), 3);
        raise(SIGUSR1);
        CHECK_EQ(region(), 3);
        if (child == 0)
            _exit(check_result());
        finish();
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0) {
                raise(SIGUSR1);
                if (child == 0)
                    CHECK_EQ(omp_get_num_threads(), 1);
                else
                    finish();
            }
        }
        if (child == 0) {
            CHECK_EQ(region(), 3);
            _exit(check_result());
        }
    }
    return check_result();
}
