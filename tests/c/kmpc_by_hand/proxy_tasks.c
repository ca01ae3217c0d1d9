// Proxy tasks, as offload runtimes make them: complete when they say so, from the task itself or from a thread
// that is none of OpenMP's.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
//#ReferenceFails:libomp wants the body to be over before
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part_id;
    void *data[2];
    int is_foreign;
};
extern int __kmpc_global_thread_num(void *);
extern struct task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                                          int (*)(int, struct task *));
extern int __kmpc_omp_task(void *, int, struct task *);
extern int __kmpc_omp_taskwait(void *, int);
extern void __kmpc_proxy_task_completed(int, struct task *);
extern void __kmpc_proxy_task_completed_ooo(struct task *);

enum { TIED = 0x1, PROXY = 0x10 };
static int executed, completed;

static void *complete(void *task)
{
    usleep(1000);
    __atomic_fetch_add(&completed, 1, __ATOMIC_RELAXED);
    __kmpc_proxy_task_completed_ooo(task);
    return NULL;
}

static int body(int gtid, struct task *task)
{
    __atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED);
    if (task->is_foreign) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, complete, task), 0);
        CHECK_EQ(pthread_detach(thread), 0);
    } else {
        __atomic_fetch_add(&completed, 1, __ATOMIC_RELAXED);
        __kmpc_proxy_task_completed(gtid, task);
    }
    return 0;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        int gtid = __kmpc_global_thread_num(NULL);
        for (int i = 0; i < 10; i++) {
            struct task *task =
                __kmpc_omp_task_alloc(NULL, gtid, TIED | PROXY, sizeof *task, 0, body);
            task->is_foreign = i % 2;
            __kmpc_omp_task(NULL, gtid, task);
        }
        __kmpc_omp_taskwait(NULL, gtid);
        CHECK_EQ(executed, 10);
        CHECK_EQ(completed, 10);
    }
    return check_result();
}
