// What may be nested passes the check of KMP_CONSISTENCY_CHECK, and locks used rightly do.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Env:KMP_CONSISTENCY_CHECK=all
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Flags:-Wno-openmp
//#NoStderr
#include "check.h"
#include <omp.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int count, singles, masked, inner, reduced;

static void regions(void)
{
#pragma omp for ordered schedule(dynamic, 2) nowait
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
        {
#pragma omp critical(first)
            count++;
        }
    }
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
        count++;
    }
#pragma omp single
    {
        omp_set_lock(&lock);
        singles++;
#pragma omp critical(first)
#pragma omp critical(second)
        count++;
        omp_unset_lock(&lock);
    }
#pragma omp sections
    {
        {
            omp_set_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
#pragma omp section
#pragma omp critical(second)
        count++;
    }
#pragma omp sections
    {
        count += 0;
    }
#pragma omp masked
    {
#pragma omp critical
        masked++;
    }
#pragma omp critical(second)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp for schedule(guided)
            for (int i = 0; i < 4; i++) {
#pragma omp atomic
                inner++;
            }
#pragma omp barrier
        }
    }
#pragma omp for reduction(+ : reduced)
    for (int i = 0; i < 8; i++)
        reduced += 1;
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
            regions();
            omp_set_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            CHECK(!omp_test_lock(&lock));
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
            omp_unset_lock(&lock);
        }
    }
    int threads = omp_get_max_threads();
    CHECK_EQ(count, 5 * (20 + 20 + 1 + 1));
    CHECK_EQ(singles, 5);
    CHECK_EQ(masked, 5);
    CHECK_EQ(inner, 5 * 4 * threads);
    CHECK_EQ(reduced, 5 * 8);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return check_result();
}
