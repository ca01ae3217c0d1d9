/* Many small regions with a lock each: argv[1] of them, forever if it is 0, of argv[2] threads.
 * Exits with 7. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long regions = argc > 1 ? atol(argv[1]) : 0;
    int threads = argc > 2 ? atoi(argv[2]) : 2;
    long sum = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    printf("begun\n");
    fflush(stdout);
    for (long region = 0; regions == 0 || region < regions; region++) {
#pragma omp parallel num_threads(threads)
        {
            omp_set_lock(&lock);
            sum++;
            omp_unset_lock(&lock);
        }
    }
    printf("sum %ld\n", sum);
    return 7;
}
