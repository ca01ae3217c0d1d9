// Task reductions as clang wrote them before version 10: the taskgroup's, and the task modifier's.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stddef.h>

struct input {
    void *shared;
    size_t size;
    void (*init)(void *);
    void (*fini)(void *);
    void (*combine)(void *, void *);
    unsigned flags;
};
extern int __kmpc_global_thread_num(void *);
extern void __kmpc_taskgroup(void *, int);
extern void __kmpc_end_taskgroup(void *, int);
extern void *__kmpc_task_reduction_init(int, int, void *);
extern void *__kmpc_task_reduction_modifier_init(void *, int, int, int, void *);
extern void __kmpc_task_reduction_modifier_fini(void *, int, int);
extern void *__kmpc_task_reduction_get_th_data(int, void *, void *);

enum { TASKS = 200 };
static int begun, ended;

static void init(void *copy)
{
    __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
    *(long *)copy = 1;
}
static void fini(void *copy)
{
    __atomic_fetch_add(&ended, *(long *)copy != 0, __ATOMIC_RELAXED);
}
static void multiply(void *into, void *copy)
{
    *(long *)into *= *(long *)copy;
}
static void add(void *into, void *copy)
{
    *(long *)into += *(long *)copy;
}

static void make_tasks(void *group, long *product, long *sum)
{
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
        {
            int gtid = __kmpc_global_thread_num(NULL);
            long *factor = __kmpc_task_reduction_get_th_data(gtid, group, product);
            long *part = __kmpc_task_reduction_get_th_data(gtid, group, sum);
            if (i < 20)
                *factor *= 2;
            *part += i;
        }
    }
}

int main(void)
{
    long product = 3, sum = 5;
    struct input items[2] = {{&product, sizeof(long), init, fini, multiply, 0},
                             {&sum, sizeof(long), NULL, NULL, add, 0}};
#pragma omp parallel
#pragma omp single
    {
        int gtid = __kmpc_global_thread_num(NULL);
        __kmpc_taskgroup(NULL, gtid);
        make_tasks(__kmpc_task_reduction_init(gtid, 2, items), &product, &sum);
        __kmpc_end_taskgroup(NULL, gtid);
        CHECK_EQ(product, 3 << 20);
        CHECK_EQ(sum, 5 + TASKS * (TASKS - 1) / 2);
    }
    CHECK(begun > 0);
    CHECK_EQ(ended, begun);

    long all = 0;
    int threads = 0;
#pragma omp parallel
    {
        // As a compiler does: each thread has a copy of its own, and adds it at the end.
        long own = 0, *address = &own;
        int gtid = __kmpc_global_thread_num(NULL);
        struct input mine = {address, sizeof(long), NULL, NULL, add, 0};
        void *group = __kmpc_task_reduction_modifier_init(NULL, gtid, 0, 1, &mine);
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(address)
            {
                int here = __kmpc_global_thread_num(NULL);
                *(long *)__kmpc_task_reduction_get_th_data(here, group, address) += 1;
            }
        }
        __kmpc_task_reduction_modifier_fini(NULL, gtid, 0);
#pragma omp barrier
#pragma omp atomic
        all += own;
#pragma omp atomic
        threads++;
    }
    CHECK_EQ(all, 50 * threads);
    return check_result();
}
