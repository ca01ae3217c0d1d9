// Target tasks that leave work on a device behind: the generating task goes on, dependences, groups,
// waits and barriers wait for the work, and what the task keeps for it stays until then. The program
// plays libomptarget and a device of its own.
//#Compilers:clang
//#Flags:-pthread -rdynamic
//#Threads:1,2,4
//#Repeat:3
//#Vary:LIBOMP_USE_HIDDEN_HELPER_TASK=1|0
//#ReferenceFails:libomp defers the target tasks of a final task
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part_id;
    void *data[2];
    // Private data of the construct.
    int *target;
    int add;
    int microseconds;
};
struct dependence {
    intptr_t address;
    size_t length;
    unsigned char kind;
};
enum { IN = 1, INOUT = 3 };

extern int __kmpc_global_thread_num(void *);
extern struct task *__kmpc_omp_target_task_alloc(void *, int, int, size_t, size_t,
                                                 int (*)(int, struct task *), int64_t);
extern struct task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                                          int (*)(int, struct task *));
extern int __kmpc_omp_task(void *, int, struct task *);
extern int __kmpc_omp_task_with_deps(void *, int, struct task *, int, struct dependence *, int,
                                     struct dependence *);
extern bool __kmpc_omp_has_task_team(int);
extern void **__kmpc_omp_get_target_async_handle_ptr(int);

// The device: work that is done when its time has come, and the device does not hold it back.
struct work {
    struct task *task;
    double end;
};
static int in_flight, most_in_flight, queries, ended, blocked, is_held;

static int is_over(const struct work *work)
{
    return !__atomic_load_n(&is_held, __ATOMIC_ACQUIRE) && omp_get_wtime() >= work->end;
}

static void finish(struct work *work)
{
    __atomic_fetch_add(work->task->target, work->task->add, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&in_flight, 1, __ATOMIC_RELAXED);
    free(work);
}

void __tgt_target_nowait_query(void **handle)
{
    struct work *work = *handle;
    CHECK(work != NULL);
    __atomic_fetch_add(&queries, 1, __ATOMIC_RELAXED);
    if (!is_over(work))
        return;
    finish(work);
    *handle = NULL;
}

static int launch(int gtid, struct task *task)
{
    struct work *work = malloc(sizeof *work);
    work->task = task;
    work->end = omp_get_wtime() + task->microseconds * 1e-6;
    int now = __atomic_add_fetch(&in_flight, 1, __ATOMIC_RELAXED);
    if (now > most_in_flight)
        most_in_flight = now;
    gtid = __kmpc_global_thread_num(NULL);
    void **handle = NULL;
    if (__kmpc_omp_has_task_team(gtid)) {
        handle = __kmpc_omp_get_target_async_handle_ptr(gtid);
        CHECK(handle != NULL && *handle == NULL);
    } else {
        CHECK(__kmpc_omp_get_target_async_handle_ptr(gtid) == NULL);
    }
    if (handle) {
        *handle = work;
        return 0;
    }
    __atomic_fetch_add(&blocked, 1, __ATOMIC_RELAXED);
    while (!is_over(work))
        usleep(10);
    finish(work);
    return 0;
}

static int add_here(int gtid, struct task *task)
{
    (void)gtid;
    *task->target += task->add;
    return 0;
}

static struct task *fill(struct task *task, int *target, int add, int microseconds)
{
    task->target = target;
    task->add = add;
    task->microseconds = microseconds;
    return task;
}

static struct task *device(int *target, int add, int microseconds)
{
    int gtid = __kmpc_global_thread_num(NULL);
    return fill(__kmpc_omp_target_task_alloc(NULL, gtid, 1, sizeof(struct task), 0, launch, -1),
                target, add, microseconds);
}

static struct task *host(int *target, int add)
{
    int gtid = __kmpc_global_thread_num(NULL);
    return fill(__kmpc_omp_task_alloc(NULL, gtid, 1, sizeof(struct task), 0, add_here), target,
                add, 0);
}

static void submit(struct task *task)
{
    __kmpc_omp_task(NULL, __kmpc_global_thread_num(NULL), task);
}

static void submit_after(struct task *task, void *location, int kind)
{
    struct dependence one = {(intptr_t)location, sizeof(int), kind};
    __kmpc_omp_task_with_deps(NULL, __kmpc_global_thread_num(NULL), task, 1, &one, 0, NULL);
}

// All that one task can wait for; `x` is its own.
static void rounds(void)
{
    int x = 0, y = 0;
    submit(device(&x, 1, 300));
    submit(device(&x, 2, 100));
#pragma omp taskwait
    CHECK_EQ(x, 3);

#pragma omp taskgroup
    {
        submit(device(&x, 10, 200));
#pragma omp task shared(x)
        submit(device(&x, 20, 100));
    }
    CHECK_EQ(x, 33);

    // In a chain with tasks of the host; a reader of something else need not wait.
    x = 1;
    submit_after(host(&x, 1), &x, INOUT);
    submit_after(device(&x, 2, 200), &x, INOUT);
    submit_after(device(&x, 4, 100), &x, INOUT);
    submit_after(host(&x, 8), &x, INOUT);
    submit_after(device(&y, 1, 50), &y, INOUT);
#pragma omp task depend(in : x) shared(x)
    CHECK_EQ(x, 16);
#pragma omp task depend(in : y) if (0) shared(y)
    CHECK_EQ(y, 1);
#pragma omp taskwait depend(inout : x)
    CHECK_EQ(x, 16);
#pragma omp taskwait

    // In an undeferred and in a final task there is nobody to leave it to.
    int before = __atomic_load_n(&blocked, __ATOMIC_RELAXED);
#pragma omp task final(1) shared(x)
    {
        submit(device(&x, 1, 50));
        CHECK_EQ(x, 17);
    }
#pragma omp taskwait
    CHECK(__atomic_load_n(&blocked, __ATOMIC_RELAXED) > before);
    CHECK_EQ(x, 17);
}

int main(void)
{
    // Alone: the device works while we go on, unless the user does not want that.
    int x = 0, goes_on = strcmp(getenv("LIBOMP_USE_HIDDEN_HELPER_TASK"), "0") != 0;
    __atomic_store_n(&is_held, goes_on, __ATOMIC_RELEASE);
    submit(device(&x, 1, 20000));
    submit(device(&x, 2, 20000));
    CHECK_EQ(__atomic_load_n(&x, __ATOMIC_RELAXED), goes_on ? 0 : 3);
    CHECK_EQ(in_flight, goes_on ? 2 : 0);
#pragma omp task if (0)
    CHECK_EQ(ended, goes_on ? 0 : 2);
    __atomic_store_n(&is_held, 0, __ATOMIC_RELEASE);
#pragma omp taskwait
    CHECK_EQ(x, 3);
    rounds();
    CHECK_EQ(queries > 2, goes_on);

    for (int i = 0; i < 5; i++) {
#pragma omp parallel
        rounds();

        // The barrier at the end of a construct, and that of a region of one thread.
        int z = 0, w = 0;
#pragma omp parallel
        {
#pragma omp single
            {
                for (int j = 0; j < 20; j++)
                    submit(device(&z, 1, 100));
                for (int j = 0; j < 200; j++)
                    submit(host(&w, 0));
            }
            CHECK_EQ(z, 20);
#pragma omp barrier
#pragma omp master
            submit(device(&z, 1, 500));
        }
        CHECK_EQ(z, 21);
#pragma omp parallel if (0)
        {
            submit(device(&z, 1, 500));
            submit(host(&w, 1));
        }
        CHECK_EQ(z, 22);
        CHECK_EQ(w, 1);
    }

    // A query comes while there is other work, too: the chain behind goes on.
    int chain = 0, spins = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 10; i++)
            submit_after(device(&chain, 1, 100), &chain, INOUT);
        while (__atomic_load_n(&chain, __ATOMIC_ACQUIRE) != 10) {
            spins++;
#pragma omp taskyield
        }
    }
    CHECK_EQ(chain, 10);
    CHECK_EQ(in_flight, 0);
    CHECK(most_in_flight >= 2 || !goes_on);
    return check_result();
}
