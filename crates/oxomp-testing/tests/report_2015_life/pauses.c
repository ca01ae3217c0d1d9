/* A program that pauses between two regions. */
#include <omp.h>
#include <stdio.h>

static void region(void) {
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    region();
    printf("program: pause=%d\n", omp_pause_resource_all(omp_pause_hard));
    region();
    printf("program: ends\n");
    return 0;
}
