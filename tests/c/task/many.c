// Tasks from all threads at once, tasks 10,000 deep, one producer, more threads than processors.
//#Threads:1,2,4,8
//#Timeout:60
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <omp.h>

enum { TASKS = 200000, DEPTH = 10000 };

static long sum;

// Each waits for the next: on whatever stacks the threads have.
static int descend(int depth)
{
    int below = 0;
    if (depth == 0)
        return 0;
#pragma omp task shared(below) firstprivate(depth)
    below = descend(depth - 1);
#pragma omp taskwait
    return below + 1;
}

static void hand_on(int depth)
{
    if (depth > 0) {
#pragma omp task firstprivate(depth)
        hand_on(depth - 1);
    }
#pragma omp atomic
    sum++;
}

static void tree(int depth)
{
    if (depth == 0) {
#pragma omp atomic
        sum++;
        return;
    }
    for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(depth)
        tree(depth - 1);
    }
}

int main(void)
{
    int threads = omp_get_max_threads();
#pragma omp parallel
    for (int i = 0; i < TASKS / threads; i++) {
#pragma omp task
        {
#pragma omp atomic
            sum++;
        }
    }
    CHECK_EQ(sum, TASKS / threads * threads);
    sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
        {
#pragma omp atomic
            sum++;
        }
    }
    CHECK_EQ(sum, TASKS);
    int depth = 0;
#pragma omp parallel
#pragma omp single
    depth = descend(DEPTH);
    CHECK_EQ(depth, DEPTH);
    sum = 0;
#pragma omp parallel
#pragma omp single
    hand_on(DEPTH);
    CHECK_EQ(sum, DEPTH + 1);
    sum = 0;
#pragma omp parallel
#pragma omp single
    tree(8);
    CHECK_EQ(sum, 65536);
    sum = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        tree(6);
        tree(5);
#pragma omp taskwait
#pragma omp taskgroup
        tree(4);
        hand_on(100);
    }
    CHECK_EQ(sum, 4096 + threads * (1024 + 256 + 101));

    // Regions of changing size, with tasks in each.
    long expected = 0;
    sum = 0;
    for (int i = 0; i < 300; i++) {
        int size = i % 7 + 1;
#pragma omp parallel num_threads(size) reduction(+ : expected)
        {
            expected += 20;
            for (int j = 0; j < 20; j++) {
#pragma omp task
                {
#pragma omp atomic
                    sum++;
                }
            }
        }
    }
    CHECK_EQ(sum, expected);
    return check_result();
}
