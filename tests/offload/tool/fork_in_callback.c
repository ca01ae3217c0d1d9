// The child of a fork(2) has no callbacks of the threads that are gone: its tool's end waits for none.
//#StockFails:the child does not end
#define TARGET_TOOL 0
#include "target_tool.h"
#include "child.h"
#include <stdlib.h>

static int is_inside, may_leave;

static void linger(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                   ompt_data_t *target_task, ompt_data_t *target, const void *code)
{
    (void)kind, (void)endpoint, (void)device, (void)task, (void)target_task, (void)target, (void)code;
    __atomic_store_n(&is_inside, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&may_leave, __ATOMIC_ACQUIRE))
        usleep(1000);
}

static void *work(void *argument)
{
    int value = 1;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 2);
    return argument;
}

int main(void)
{
    pthread_t thread;
    tool_set(ompt_callback_target_emi, (ompt_callback_t)linger);
    pthread_create(&thread, NULL, work, NULL);
    while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
        usleep(1000);
    double begin = omp_get_wtime();
    pid_t id = fork();
    if (id == 0)
        exit(0);
    must_succeed(id);
    // The end of the tool waits for a callback that does not return for ten seconds.
    CHECK(omp_get_wtime() - begin < 9);
    __atomic_store_n(&may_leave, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    return check_result();
}
