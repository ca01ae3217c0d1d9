// taskwait waits for children only, taskgroup for descendants; both nested in each other.
//#Threads:1,2,4
//#Repeat:3
#include "check.h"
#include <omp.h>

static int sum;

static void add(int value)
{
#pragma omp atomic
    sum += value;
}

static void descend(int depth)
{
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(depth)
        {
            if (depth > 0)
                descend(depth - 1);
            add(1);
        }
    }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 50; round++) {
        sum = 0;
        int children = 0;
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(children)
            {
#pragma omp task
                add(1);
#pragma omp atomic
                children++;
            }
        }
#pragma omp taskwait
        CHECK_EQ(children, 10);
#pragma omp taskgroup
        {
#pragma omp task
            descend(3);
        }
        CHECK(sum >= 3 + 9 + 27 + 81);

        // Tasks made before the taskgroup are not of it: it does not wait for them.
        int open = 0, before = 0;
#pragma omp task shared(open, before)
        {
            if (omp_get_num_threads() > 1)
                while (!__atomic_load_n(&open, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
                }
            before = 1;
        }
        int inner = 0, outer = 0;
#pragma omp taskgroup
        {
#pragma omp task shared(outer)
            {
#pragma omp taskgroup
                {
#pragma omp task shared(inner)
                    {
#pragma omp task shared(inner)
                        __atomic_fetch_add(&inner, 1, __ATOMIC_RELAXED);
                        __atomic_fetch_add(&inner, 1, __ATOMIC_RELAXED);
                    }
                }
                CHECK_EQ(inner, 2);
#pragma omp task shared(outer)
                outer++;
            }
#pragma omp taskgroup
            {
            }
        }
        CHECK_EQ(outer, 1);
        __atomic_store_n(&open, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
        CHECK_EQ(before, 1);
    }

    // Every thread its own groups at once; results visible after each.
#pragma omp parallel
    for (int round = 0; round < 200; round++) {
        int parts[8];
#pragma omp taskgroup
        for (int i = 0; i < 8; i++) {
#pragma omp task shared(parts) firstprivate(i, round)
            {
#pragma omp task shared(parts) firstprivate(i, round)
                parts[i] = round + i;
            }
        }
        for (int i = 0; i < 8; i++)
            CHECK_EQ(parts[i], round + i);
        int total = 0;
        for (int i = 0; i < 8; i++) {
#pragma omp task shared(total)
            {
#pragma omp atomic
                total++;
            }
        }
#pragma omp taskwait
        CHECK_EQ(total, 8);
    }
    return check_result();
}
