/* A lock that no other thread asks for, around as many steps of work as the argument says. */
#include <omp.h>
#include <stdlib.h>

#include "overhead.h"

enum { TIMES = 5000000 };

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 4;
    double sum = 0;
    int64_t begin = now_ns();
#pragma omp parallel reduction(+ : sum)
    {
        omp_lock_t lock;
        omp_init_lock(&lock);
        for (int i = 0; i < TIMES; i++) {
            omp_set_lock(&lock);
            sum += work(steps, i);
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
    }
    return told(begin, TIMES, sum);
}
