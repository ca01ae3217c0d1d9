/* Each construct of the first needs, a few times, in regions of two sizes. With LOSES the program
 * itself loses memory. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int of_thread;
#pragma omp threadprivate(of_thread)

int main(void)
{
    static double values[1000];
    long sum = 0, count = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (int round = 0; round < 6; round++) {
        omp_set_num_threads(2 + round % 3);
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < 1000; i++) {
            values[i] = i;
            sum += i;
        }
#pragma omp parallel for schedule(guided) ordered reduction(+ : sum)
        for (int i = 0; i < 100; i++) {
#pragma omp ordered
            sum += i;
        }
#pragma omp parallel copyin(of_thread)
        {
            int chosen = 0;
            of_thread++;
            omp_set_lock(&lock);
            omp_set_nest_lock(&nest_lock);
            count++;
            omp_unset_nest_lock(&nest_lock);
            omp_unset_lock(&lock);
#pragma omp single copyprivate(chosen)
            chosen = round;
#pragma omp critical
            count += chosen;
#pragma omp sections
            {
#pragma omp section
                __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
#pragma omp section
                __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
            }
#pragma omp parallel num_threads(2)
            {
#pragma omp barrier
            }
        }
    }
    omp_destroy_nest_lock(&nest_lock);
    omp_destroy_lock(&lock);
    printf("%ld %ld %g\n", sum, count, values[999]);
#ifdef LOSES
    *(volatile char *)malloc(1000) = 0;
#endif
    return 0;
}
