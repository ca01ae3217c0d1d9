// How many iterations a task gets: at least grainsize and less than twice as many; with strict
// exactly as many but for the last; as many tasks as num_tasks says.
//#Threads:1,2,4
//#Flags:-Wno-sign-compare
//#ReferenceFails:libgomp 12 and libomp share out in other ways where none is demanded
#include "check.h"
#include <omp.h>
#include <string.h>

enum { LENGTH = 600 };

static int task_of[LENGTH], tasks;
static int mine;
#pragma omp threadprivate(mine)

// A task's iterations follow each other on one thread.
static void note(int i, int lower)
{
    if (lower)
        mine = __atomic_add_fetch(&tasks, 1, __ATOMIC_RELAXED);
    task_of[i] = mine;
}

static int shares[LENGTH + 1], count;

// Iterations of one task stand side by side: shares in the order of the iterations.
static void collect(int length)
{
    count = 0;
    memset(shares, 0, sizeof shares);
    for (int i = 0; i < length; i++) {
        if (i == 0 || task_of[i] != task_of[i - 1])
            count++;
        shares[count - 1]++;
    }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int length = 1; length <= LENGTH; length += 37) {
        for (int wanted = 1; wanted < 50; wanted += 6) {
            // A task is told by its private copy.
            int first = 1;
#pragma omp taskloop grainsize(wanted) firstprivate(first)
            for (int i = 0; i < length; i++) {
                note(i, first);
                first = 0;
            }
            collect(length);
            for (int i = 0; i < count; i++) {
                CHECK(shares[i] >= wanted || count == 1);
                CHECK(shares[i] < 2 * wanted);
            }
            first = 1;
#pragma omp taskloop grainsize(strict : wanted) firstprivate(first)
            for (int i = 0; i < length; i++) {
                note(i, first);
                first = 0;
            }
            collect(length);
            for (int i = 0; i < count - 1; i++)
                CHECK_EQ(shares[i], wanted);
            CHECK(shares[count - 1] <= wanted);
            CHECK_EQ(count, (length + wanted - 1) / wanted);
            first = 1;
#pragma omp taskloop num_tasks(wanted) firstprivate(first)
            for (int i = 0; i < length; i++) {
                note(i, first);
                first = 0;
            }
            collect(length);
            CHECK_EQ(count, wanted < length ? wanted : length);
        }
    }
    return check_result();
}
