// The child of a program with a team ends by exit(3), which runs what was registered.
//#Env:OMP_NUM_THREADS=3
//#Stdout:^team 3\nchild 7\nparent\n$
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int size = 0, status = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    printf("team %d\n", size);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(7);
    waitpid(child, &status, 0);
    printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
#pragma omp parallel
    {
    }
    printf("parent\n");
    return 0;
}
