/* A program that says whether its process has more rights than its user, and meets OpenMP. The tool
 * that its arguments name it loads itself. */
#include <omp.h>
#include <stdio.h>
#include <sys/auxv.h>

int main(void) {
    printf("program: privileged=%lu\n", getauxval(AT_SECURE));
    fflush(stdout);
    int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads++;
    printf("program: threads=%d\n", threads);
    return 0;
}
