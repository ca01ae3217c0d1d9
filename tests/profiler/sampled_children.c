/* Children that work, and children that replace themselves by a program, while threads work. With
 * arguments it is that program: it works with default handlers and an open mask. */
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

int main(int words, char **word)
{
    if (words > 1) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        burn(1000000);
        return 3;
    }
    omp_get_max_threads();
    long steps = burn_steps(4);
    int bad = 0;
#pragma omp parallel num_threads(2)
    burn(steps);
    for (int round = 0; round < 12; round++) {
        burn(steps);
        pid_t child = fork();
        if (child == 0) {
            burn(steps);
            if (round % 2 == 0)
                _exit(3);
            /* A signal may wait for this process now. */
            sigset_t all;
            sigfillset(&all);
            sigprocmask(SIG_SETMASK, &all, NULL);
            burn(steps);
            execl("/proc/self/exe", word[0], "again", (char *)NULL);
            _exit(4);
        }
        int status = 0;
        burn(steps);
        bad += waitpid(child, &status, 0) != child || !WIFEXITED(status)
            || WEXITSTATUS(status) != 3;
    }
#pragma omp parallel num_threads(2)
    burn(steps);
    print_fact("bad", bad);
    fflush(stdout);
    /* The process itself is replaced last, with its samples under way. */
    execl("/proc/self/exe", word[0], "again", (char *)NULL);
    return 4;
}
