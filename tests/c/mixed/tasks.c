// Tasks of both compilers are siblings, parents and children of each other: dependences, taskwait,
// taskgroups, taskloops, reductions and events.
//#Compilers:clang
//#With:gcc:tasks_gcc.c
//#Flags:-Wno-uninitialized
//#Threads:1,2,4
//#Repeat:2
//#ReferenceFails:libomp aborts where tasks of gcc take part in a reduction of clang
//#NoStderr
#include "check.h"
#include "tasks.h"

void clang_tree(int *leaves, int depth)
{
    if (depth == 0) {
        __atomic_add_fetch(leaves, 1, __ATOMIC_RELAXED);
        return;
    }
#pragma omp task
    gcc_tree(leaves, depth - 1);
#pragma omp task untied
    gcc_tree(leaves, depth - 1);
    gcc_taskwait();
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        // One chain of two compilers, then a set that excludes.
        int value = 0;
        for (int i = 0; i < 200; i += 2) {
#pragma omp task depend(inout : value) shared(value) firstprivate(i)
            CHECK_EQ(value++, i);
            gcc_next(&value, i + 1);
        }
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(mutexinoutset : value) shared(value)
            value++;
            gcc_exclusive(&value);
        }
        gcc_taskwait();
        CHECK_EQ(value, 400);

        int leaves = 0;
#pragma omp taskgroup
        clang_tree(&leaves, 9);
        CHECK_EQ(leaves, 512);

        int counts[50] = {0};
#pragma omp taskgroup
        gcc_loop(counts, 50);
        for (int i = 0; i < 50; i++)
            CHECK_EQ(counts[i], 1);

        // gcc's tasks take part in what clang reduces. (The other way round cannot work: gcc's code
        // combines the copies that its own tasks have marked as begun.)
        mixed_sum = 0;
#pragma omp taskgroup task_reduction(+ : mixed_sum)
        for (int i = 0; i < 100; i++) {
            gcc_adds(i);
#pragma omp task in_reduction(+ : mixed_sum)
            mixed_sum += 1000;
        }
        CHECK_EQ(mixed_sum, 4950 + 100000);

        for (int i = 0; i < 50; i++) {
            omp_event_handle_t event;
            int body = 0;
#pragma omp task detach(event) shared(body) depend(out : value)
            body = 1;
            gcc_fulfils(event);
            gcc_next(&value, 400 + i);
#pragma omp taskwait
            CHECK_EQ(body, 1);
        }
    }
    return check_result();
}
