// Numbers of tasks; and an untied task in parts, as icc writes it: each part asks for the next.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
//#ReferenceFails:libomp gives every task the number -1
#include "check.h"
#include <omp.h>
#include <stdint.h>

struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part_id;
    void *data[2];
    int *sum;
};
extern uint64_t __kmpc_get_taskid(void);
extern uint64_t __kmpc_get_parent_taskid(void);
extern int __kmpc_global_thread_num(void *);
extern struct task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                                          int (*)(int, struct task *));
extern int __kmpc_omp_task_parts(void *, int, struct task *);

enum { PARTS = 5, TASKS = 50 };
static int in_order;

static int part(int gtid, struct task *task)
{
    int now = task->part_id++;
    __atomic_fetch_add(&in_order, *task->sum == now, __ATOMIC_RELAXED);
    ++*task->sum;
    if (now < PARTS)
        CHECK_EQ(__kmpc_omp_task_parts(NULL, gtid, task), 0);
    return 0;
}

int main(void)
{
    uint64_t initial = __kmpc_get_taskid();
    CHECK(initial != 0);
    CHECK_EQ(__kmpc_get_parent_taskid(), 0);
    uint64_t implicit[4] = {0};
#pragma omp parallel
    {
        uint64_t here = __kmpc_get_taskid(), sibling = 0;
        implicit[omp_get_thread_num()] = here;
        CHECK_EQ(__kmpc_get_parent_taskid(), initial);
#pragma omp task if (0) shared(sibling)
        {
            uint64_t first = sibling = __kmpc_get_taskid();
            CHECK_EQ(__kmpc_get_parent_taskid(), here);
#pragma omp task firstprivate(first)
            CHECK_EQ(__kmpc_get_parent_taskid(), first);
#pragma omp task if (0) firstprivate(first)
            {
                CHECK(__kmpc_get_taskid() != first);
                CHECK(__kmpc_get_taskid() != __kmpc_get_parent_taskid());
            }
#pragma omp taskwait
#pragma omp parallel num_threads(1)
            CHECK_EQ(__kmpc_get_parent_taskid(), first);
        }
        CHECK(sibling != here && sibling != initial);
        CHECK_EQ(__kmpc_get_taskid(), here);
    }
    for (int i = 0; i < omp_get_max_threads(); i++)
        for (int j = 0; j < i; j++)
            CHECK(implicit[i] != implicit[j] && implicit[i] != 0);

    int sums[TASKS] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < TASKS; i++) {
            int gtid = __kmpc_global_thread_num(NULL);
            struct task *task = __kmpc_omp_task_alloc(NULL, gtid, 0, sizeof *task, 0, part);
            task->sum = &sums[i];
            __kmpc_omp_task_parts(NULL, gtid, task);
        }
#pragma omp taskwait
        for (int i = 0; i < TASKS; i++)
            CHECK_EQ(sums[i], PARTS + 1);
    }
    CHECK_EQ(in_order, TASKS * (PARTS + 1));
    return check_result();
}
