// A fork while other threads are at the affinity format: the child asks for it too.
//#Threads:4
//#Repeat:2
#include "check.h"
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 200 };

static int stop;

static void fork_again(void)
{
    int status = -1;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        char text[40];
        alarm(10);
        _exit(omp_get_affinity_format(text, sizeof text) > 0 ? 7 : 8);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 7);
}

int main(void)
{
#pragma omp parallel
    if (omp_get_thread_num() == 0) {
        for (int round = 0; round < FORKS && check_failures == 0; round++)
            fork_again();
        __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    } else {
        while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
            char text[40];
            omp_set_affinity_format("thread %n of %N, and some more text");
            omp_get_affinity_format(text, sizeof text);
        }
    }
    return check_result();
}
