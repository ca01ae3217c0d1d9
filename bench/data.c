/* Clauses that copy data: 6561 doubles are 51 KB, more than a core's first cache usually has. */

#include "bench.h"

#define SMALL 1
#define LARGE 6561

static void firstprivate_6561(long count)
{
    double values[LARGE] = {0};
    for (long i = 0; i < count; i++) {
#pragma omp parallel firstprivate(values)
        {
            touch(values);
            work();
        }
    }
}

static void copyprivate_1(long count)
{
#pragma omp parallel
    {
        double values[SMALL] = {0};
        for (long i = 0; i < count; i++) {
#pragma omp single copyprivate(values)
            {
                work();
                values[0] = (double)i;
            }
            expect(values[0] == (double)i, "a value of copyprivate");
        }
    }
}

static void copyprivate_6561(long count)
{
#pragma omp parallel
    {
        double values[LARGE] = {0};
        for (long i = 0; i < count; i++) {
#pragma omp single copyprivate(values)
            {
                work();
                values[LARGE - 1] = (double)i;
                touch(values);
            }
            expect(values[LARGE - 1] == (double)i, "a value of copyprivate");
        }
    }
}

static double kept[LARGE];
#pragma omp threadprivate(kept)

static void copyin_6561(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp parallel copyin(kept)
        {
            touch(kept);
            work();
        }
    }
}

const struct benchmark benchmarks[] = {
    {"firstprivate_6561", "ns/region", "a region with firstprivate of 51 KB", firstprivate_6561,
     work_of_each},
    {"copyprivate_1", "ns/construct", "a single region with copyprivate of 8 bytes", copyprivate_1,
     work_in_turn},
    {"copyprivate_6561", "ns/construct", "a single region with copyprivate of 51 KB",
     copyprivate_6561, work_in_turn},
    {"copyin_6561", "ns/region", "a region with copyin of 51 KB", copyin_6561, work_of_each},
    {0},
};
