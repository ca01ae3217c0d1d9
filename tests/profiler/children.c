/* Two regions, and children of fork(2): one with five regions, one that has two of its own and a
 * child with three, one that exec(3)s this program for seven, and one with none. Prints the
 * statuses of the children. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void regions(int count)
{
    for (int i = 0; i < count; i++) {
        int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
        members += 1;
        if (members != 2)
            _exit(99);
    }
}

static void finish(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d ", WEXITSTATUS(status));
    fflush(stdout);
}

int main(int count, char **arguments)
{
    if (count > 1) {
        regions(atoi(arguments[1]));
        return 5;
    }
    regions(1);
    pid_t child = fork();
    if (child == 0) {
        regions(5);
        exit(1);
    }
    finish(child);
    child = fork();
    if (child == 0) {
        regions(2);
        child = fork();
        if (child == 0) {
            regions(3);
            _exit(2);
        }
        int status = 0;
        waitpid(child, &status, 0);
        exit(WEXITSTATUS(status));
    }
    finish(child);
    regions(1);
    child = fork();
    if (child == 0) {
        execl("/proc/self/exe", arguments[0], "7", (char *)NULL);
        _exit(98);
    }
    finish(child);
    child = fork();
    if (child == 0)
        exit(4);
    finish(child);
    printf("end\n");
    return 0;
}
