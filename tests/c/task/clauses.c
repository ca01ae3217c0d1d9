// The clauses of a task construct: if, final, mergeable, untied, priority, affinity. Not with -O2,
// where clang takes omp_in_final for the same in a task as around it.
//#Threads:1,2,4
//#Opt:-O1
//#SameStdoutAs:reference
#include "check.h"
#include <omp.h>

#ifdef __clang__
#define IN_EXPLICIT_TASK(wanted) CHECK_EQ(omp_in_explicit_task(), wanted)
#else
// libgomp 12 has no such routine.
#define IN_EXPLICIT_TASK(wanted)
#endif

enum { TASKS = 200 };

static int ran[TASKS];

static void once(int which)
{
    __atomic_fetch_add(&ran[which], 1, __ATOMIC_RELAXED);
}

static void all_once(int line)
{
    for (int i = 0; i < TASKS; i++) {
        if (ran[i] != 1)
            fprintf(stderr, "line %d: task %d ran %d times\n", line, i, ran[i]);
        CHECK_EQ(ran[i], 1);
        ran[i] = 0;
    }
}

// A final task's descendants are final too, and run at once on its thread.
static void included(int depth, int thread)
{
    CHECK(omp_in_final());
    CHECK_EQ(omp_get_thread_num(), thread);
    if (depth == 0)
        return;
    int done = 0;
#pragma omp task shared(done)
    {
        included(depth - 1, thread);
        done = 1;
    }
    CHECK_EQ(done, 1);
#pragma omp task shared(done) untied
    {
        included(depth - 1, thread);
        done = 2;
    }
    CHECK_EQ(done, 2);
#pragma omp taskwait
}

int main(void)
{
    printf("%d\n", omp_get_max_task_priority());
#pragma omp parallel
#pragma omp single
    {
        int main_thread = omp_get_thread_num();
        IN_EXPLICIT_TASK(0);
        CHECK(!omp_in_final());

        for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
            {
                IN_EXPLICIT_TASK(1);
                CHECK(!omp_in_final());
                once(i);
            }
        }
#pragma omp taskwait
        all_once(__LINE__);

        // Undeferred: over when the construct is, on the same thread, and not final.
        for (int i = 0; i < TASKS; i++) {
            int after = 0;
#pragma omp task if (0) shared(after) firstprivate(i)
            {
                CHECK_EQ(omp_get_thread_num(), main_thread);
                CHECK(!omp_in_final());
                IN_EXPLICIT_TASK(1);
                once(i);
                after = i + 1;
            }
            CHECK_EQ(after, i + 1);
        }
        all_once(__LINE__);

        // Children of an undeferred task are deferred as any.
#pragma omp task if (0)
        {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
                once(i);
            }
        }
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp taskwait
            }
        }
        // A taskgroup waits for grandchildren, too.
        int grandchild = 0;
#pragma omp taskgroup
        {
#pragma omp task shared(grandchild)
            {
#pragma omp task shared(grandchild)
                grandchild = 1;
            }
        }
        CHECK_EQ(grandchild, 1);

        for (int deep = 0; deep < 3; deep++) {
#pragma omp task final(1) firstprivate(deep)
            included(deep, omp_get_thread_num());
#pragma omp task final(deep == 1) firstprivate(deep)
            {
                CHECK_EQ(omp_in_final(), deep == 1);
#pragma omp task firstprivate(deep)
                CHECK_EQ(omp_in_final(), deep == 1);
            }
#pragma omp task if (0) final(1)
            CHECK(omp_in_final());
        }
#pragma omp taskwait
        CHECK(!omp_in_final());
    }
    all_once(__LINE__);

#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < TASKS; i++) {
            int local = i;
#pragma omp task mergeable firstprivate(i, local) if (i % 3)
            {
                local++;
                CHECK_EQ(local, i + 1);
                once(i);
            }
        }
#pragma omp taskwait
        all_once(__LINE__);

        for (int i = 0; i < TASKS; i++) {
#pragma omp task mergeable final(i % 2) untied firstprivate(i)
            once(i);
        }
#pragma omp taskwait
        all_once(__LINE__);

        int data[TASKS];
        for (int i = 0; i < TASKS; i++)
            data[i] = i;
        for (int i = 0; i < TASKS; i++) {
#pragma omp task affinity(data[i]) firstprivate(i) shared(data)
            {
                CHECK_EQ(data[i], i);
                once(i);
            }
        }
#pragma omp taskwait
        all_once(__LINE__);
        for (int i = 0; i < TASKS; i++) {
#pragma omp task affinity(iterator(k = 0 : 8) : data[k]) affinity(data[i : 1]) firstprivate(i)
            once(i);
        }
    }
    all_once(__LINE__);
    return check_result();
}
