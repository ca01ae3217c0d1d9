/* On the one processor that the process may use: a region, and after the last region work of 150 ms
 * of processor time, beside a child that computes. Prints what that work took, ns. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

int main(void)
{
#pragma omp parallel num_threads(1)
    work_ns(1000000);
    pid_t child = fork();
    if (child == 0) {
        /* Bounded, in case the parent ends early. */
        work_ns(5000000000);
        _exit(0);
    }
    print_fact("cpu_work", work_ns(150000000));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return 0;
}
