// A process may fork in a function that exit(3) calls, when the thread that forked before has lost its
// thread-local data.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Stdout:forked
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>
#include <sys/wait.h>

static void fork_once(void)
{
    pid_t id = fork();
    if (id == 0)
        _exit(0);
    int status = 1;
    CHECK(waitpid(id, &status, 0) == id);
    CHECK_EQ(status, 0);
}

static void last(void)
{
    fork_once();
    if (check_failures)
        _exit(1);
    fputs("forked\n", stdout);
    fflush(stdout);
}

int main(void)
{
    int value = 1, device = omp_get_default_device();
    tool_at_device = trace_all;
    atexit(last);
#pragma omp target map(tofrom : value)
    value++;
    need_trace(device);
    fork_once();
    CHECK_EQ(value, 2);
    return check_result();
}
