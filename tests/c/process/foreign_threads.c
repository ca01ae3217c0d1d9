// Plain threads that meet OpenMP are roots: each has teams, levels and settings of its own.
//#Threads:1,3
//#Vary:OMP_WAIT_POLICY=active|passive
//#Repeat:4
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>

enum { ROOTS = 5, REGIONS = 100 };

static long total;

static void *root(void *argument)
{
    int number = (int)(long)argument;
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    omp_set_num_threads(number + 1);
    for (int region = 0; region < REGIONS; region++) {
        int members = 0, sum = 0;
#pragma omp parallel reduction(+ : members)
        {
            members += 1;
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_num_threads(), number + 1);
#pragma omp for schedule(dynamic, 2)
            for (int i = 0; i < 50; i++) {
#pragma omp atomic
                sum += i;
            }
            CHECK_EQ(sum, 1225);
#pragma omp critical
            total++;
        }
        CHECK_EQ(members, number + 1);
    }
    CHECK_EQ(omp_get_max_threads(), number + 1);
    return NULL;
}

int main(void)
{
    int size = omp_get_max_threads();
    for (int round = 1; round <= 3; round++) {
        pthread_t threads[ROOTS];
        for (long i = 0; i < ROOTS; i++)
            CHECK_EQ(pthread_create(&threads[i], NULL, root, (void *)i), 0);
        int members = 0;
#pragma omp parallel reduction(+ : members)
        members += 1;
        CHECK_EQ(members, size);
        for (int i = 0; i < ROOTS; i++)
            pthread_join(threads[i], NULL);
        CHECK_EQ(total, (long)round * REGIONS * (1 + 2 + 3 + 4 + 5));
    }
    return check_result();
}
