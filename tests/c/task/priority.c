// Priorities are hints up to OMP_MAX_TASK_PRIORITY: all tasks run, and where one thread alone runs
// tasks that wait for it, those of higher priority come first.
//#Env:OMP_MAX_TASK_PRIORITY=10
//#Threads:2,4
//#ReferenceFails:the order is ours to promise
#include "check.h"
#include <omp.h>

enum { TASKS = 60 };

static int order[TASKS], next;

int main(void)
{
    CHECK_EQ(omp_get_max_task_priority(), 10);
    int ran = 0, threads = 0;
#pragma omp parallel reduction(+ : threads)
    {
        threads = 1;
#pragma omp single
        for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i % 13) shared(ran)
            {
#pragma omp atomic
                ran++;
            }
        }
    }
    CHECK_EQ(ran, TASKS);

    // The other threads are kept busy: the tasks that the first makes are all its own.
    int release = 0, busy = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) {
            __atomic_fetch_add(&busy, 1, __ATOMIC_RELAXED);
            while (!__atomic_load_n(&release, __ATOMIC_ACQUIRE)) {
            }
        } else {
            while (__atomic_load_n(&busy, __ATOMIC_RELAXED) != threads - 1) {
            }
            for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i % 10 + 1) firstprivate(i)
                order[next++] = i % 10 + 1;
            }
#pragma omp taskwait
            __atomic_store_n(&release, 1, __ATOMIC_RELEASE);
        }
    }
    CHECK_EQ(next, TASKS);
    for (int i = 1; i < TASKS; i++)
        CHECK(order[i - 1] >= order[i]);

    // Beyond the most, negative, and with dependences and detached from any thread.
    int value = 0, negative = -5;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task priority(1000000) shared(value) depend(out : value)
        value = 1;
#pragma omp task priority(negative) shared(value) depend(inout : value)
        value += 10;
#pragma omp task priority(9) shared(value) depend(in : value)
        CHECK_EQ(value, 11);
    }
    CHECK_EQ(value, 11);
    return check_result();
}
