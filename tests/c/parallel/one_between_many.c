// Regions of one thread between regions of all: each has its size, its levels and its variables, and
// the threads of the larger ones stay. On two levels, in implicit and in explicit tasks, and with
// reductions for the regions' tasks.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

static int kept;
#pragma omp threadprivate(kept)

// Sums over the threads of a region of `size` threads, or of one if `condition` is 0.
static int region(int condition, int size, int level)
{
    int members = 0, sum = 0, wrong = 0;
#pragma omp parallel if (condition) num_threads(size) reduction(+ : members, sum, wrong)
    {
        members++;
        sum += omp_get_thread_num() + 1;
        wrong += omp_get_num_threads() != (condition ? size : 1);
        wrong += omp_get_level() != level || omp_get_team_size(level) != omp_get_num_threads();
        omp_set_num_threads(17);
#pragma omp barrier
        wrong += omp_get_max_threads() != 17;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(members, condition ? size : 1);
    return sum;
}

// Reductions for the tasks of a region of `size` threads.
static long of_tasks(int size)
{
    long sum = 0;
#pragma omp parallel num_threads(size) reduction(task, + : sum)
#pragma omp single
    for (int i = 1; i <= 20; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    return sum;
}

static void all(int level)
{
    int threads = omp_get_max_threads(), sum = 0;
    for (int round = 0; round < 4; round++) {
        sum += region(1, threads, level);
        sum += region(0, threads, level);
        sum += region(1, 1, level);
        sum += region(1, (threads + 1) / 2, level);
        sum += region(0, 1, level);
        CHECK_EQ(of_tasks(threads), 210);
        CHECK_EQ(of_tasks(1), 210);
        CHECK_EQ(omp_get_max_threads(), threads);
    }
    int half = (threads + 1) / 2;
    CHECK_EQ(sum, 4 * (threads * (threads + 1) / 2 + half * (half + 1) / 2 + 3));
}

// What each thread keeps from one large region to the next is not that of a small one between.
static void variables(void)
{
    int threads = omp_get_max_threads(), wrong = 0;
#pragma omp parallel num_threads(threads)
    kept = 10 + omp_get_thread_num();
#pragma omp parallel num_threads(1)
    kept++;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += kept != 10 + omp_get_thread_num() + (omp_get_thread_num() == 0);
    CHECK_EQ(wrong, 0);
}

int main(void)
{
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
    all(1);
    variables();
    // Each thread of a region has teams of its own.
#pragma omp parallel num_threads(2)
    {
        omp_set_num_threads(2);
        all(2);
    }
    // A region of one thread is not active, but is a level.
#pragma omp parallel num_threads(1)
    {
        CHECK_EQ(omp_get_active_level(), 0);
        omp_set_num_threads(2);
        all(2);
    }
    // A task's regions are those of its thread.
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
        {
            omp_set_num_threads(2);
            all(2);
        }
    }
    all(1);
    puts("done");
    return check_result();
}
