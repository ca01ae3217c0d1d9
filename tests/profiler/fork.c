/* A region, then a child of fork(2) that only prints, then another region. */
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int threads(void)
{
    int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
    count += 1;
    return count;
}

int main(void)
{
    int before = threads();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("child\n");
        fflush(stdout);
        _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    int after = threads();
    printf("%d %d %d\n", before, after, WEXITSTATUS(status));
    return 0;
}
