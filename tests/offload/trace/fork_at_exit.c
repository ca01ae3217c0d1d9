// A process may fork in a function that exit(3) calls, when the thread that forked before has lost its
// thread-local data.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Stdout:forked
#define TARGET_TOOL 1
#include "device_trace.h"
#include "child.h"

static void fork_once(void)
{
    pid_t id = fork();
    if (id == 0)
        _exit(0);
    must_succeed(id);
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
    atexit(last);
    meet_device(trace_all);
    fork_once();
    return check_result();
}
