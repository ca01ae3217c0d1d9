// Untied tasks: every scheduling point inside, with children, in a loop; the parts of one task
// never run at the same time and see its variables.
//#Threads:1,2,4,8
//#Repeat:3
//#ReferenceFails[clang]:libomp's assertion td_last_tied fails
#include "check.h"
#include <omp.h>

enum { TASKS = 100, ROUNDS = 5 };

static int sum;

static void child(int value)
{
#pragma omp task firstprivate(value)
    {
#pragma omp atomic
        sum += value;
    }
}

static long tree(int depth)
{
    long left = 0, right = 0;
    if (depth == 0)
        return 1;
#pragma omp task untied shared(left) firstprivate(depth)
    left = tree(depth - 1);
#pragma omp task untied shared(right) firstprivate(depth)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

int main(void)
{
    int running[TASKS] = {0}, over[TASKS] = {0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task untied firstprivate(i) shared(running, over)
        {
            int mine = i, parts = 0;
            CHECK_EQ(__atomic_fetch_add(&running[i], 1, __ATOMIC_ACQ_REL), 0);
            for (int round = 0; round < ROUNDS; round++) {
                int done = 0;
#pragma omp task shared(done) firstprivate(round)
                {
#pragma omp atomic
                    sum++;
                    done = round + 1;
                }
#pragma omp taskwait
                CHECK_EQ(done, round + 1);
#pragma omp taskyield
                parts++;
#pragma omp taskgroup
                {
#pragma omp task
                    child(1);
                }
                CHECK_EQ(mine, i);
            }
            CHECK_EQ(parts, ROUNDS);
            CHECK_EQ(__atomic_fetch_sub(&running[i], 1, __ATOMIC_ACQ_REL), 1);
            __atomic_fetch_add(&over[i], 1, __ATOMIC_RELAXED);
        }
    }
    for (int i = 0; i < TASKS; i++)
        CHECK_EQ(over[i], 1);
    CHECK_EQ(sum, TASKS * ROUNDS * 2);

    // Undeferred and untied; final and untied; with children that are neither.
    sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
        int after = 0;
#pragma omp task untied if (0) shared(after) firstprivate(i)
        {
            child(i);
#pragma omp taskyield
            child(1);
#pragma omp taskwait
            after = i + 1;
        }
        CHECK_EQ(after, i + 1);
#pragma omp task untied final(i % 2) firstprivate(i)
        {
            child(1);
#pragma omp taskwait
#pragma omp taskyield
            child(i % 2);
        }
    }
    CHECK_EQ(sum, TASKS * (TASKS - 1) / 2 + 2 * TASKS + TASKS / 2);

    long leaves = 0;
#pragma omp parallel
#pragma omp single
    leaves = tree(10);
    CHECK_EQ(leaves, 1024);
    return check_result();
}
