/* Parallel regions: what it costs to open and to close one. */

#include "bench.h"

static void parallel(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp parallel
        work();
    }
}

static void parallel_for(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp parallel for schedule(static)
        for (int thread = 0; thread < threads; thread++)
            work();
    }
}

static void parallel_reduction(long count)
{
    long sum = 0;
    for (long i = 0; i < count; i++) {
#pragma omp parallel reduction(+ : sum)
        {
            work();
            sum++;
        }
    }
    expect(sum == count * threads, "a reduction's sum");
}

#define ELEMENTS 64

static void parallel_reduction_arr64(long count)
{
    double sums[ELEMENTS] = {0};
    for (long i = 0; i < count; i++) {
#pragma omp parallel reduction(+ : sums[ : ELEMENTS])
        {
            work();
            sums[omp_get_thread_num() % ELEMENTS]++;
        }
    }
    expect(sums[0] >= (double)count, "an array reduction's sum");
}

static void parallel_varying_size(long count)
{
    for (long i = 0; i < count; i++) {
        int size = i % 2 ? threads : (threads + 1) / 2;
#pragma omp parallel num_threads(size)
        work();
    }
}

static void parallel_if0(long count)
{
    volatile int zero = 0;
    for (long i = 0; i < count; i++) {
#pragma omp parallel if (zero)
        work();
    }
}

/* One outer region, inside which each thread opens inner ones. */
static void nested(long count)
{
    omp_set_max_active_levels(2);
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(2)
        work();
    }
    omp_set_max_active_levels(1);
}

static void nested_serialized(long count)
{
    omp_set_max_active_levels(1);
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp parallel
        work();
    }
}

const struct benchmark benchmarks[] = {
    {"parallel", "ns/region", "a region: fork, join", parallel, work_of_each},
    {"parallel_for", "ns/region", "a combined region and static loop", parallel_for, work_of_each},
    {"parallel_reduction", "ns/region", "a region that reduces a long", parallel_reduction,
     work_of_each},
    {"parallel_reduction_arr64", "ns/region", "a region that reduces 64 doubles",
     parallel_reduction_arr64, work_of_each},
    {"parallel_varying_size", "ns/region", "a region whose size differs from the last one's",
     parallel_varying_size, work_of_each},
    {"parallel_if0", "ns/region", "a region with if(0)", parallel_if0, work_in_turn},
    {"nested", "ns/inner-region", "a region of two threads inside a region", nested, work_of_each},
    {"nested_serialized", "ns/inner-region", "an inactive region inside a region",
     nested_serialized, work_of_each},
    {0},
};
