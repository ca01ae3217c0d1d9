// main returns, or calls exit, or _exit: with workers that sleep or spin.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:WAY=return|exit|_exit
//#NotRecorded:with _exit the tool is not finalized
//#Stdout:^4\n$
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    printf("%d\n", size);
    fflush(stdout);
    const char *way = getenv("WAY");
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "exit") == 0)
        exit(0);
    return 0;
}
