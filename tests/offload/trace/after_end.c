// A tool that ends while it traces a device gets nothing afterwards, also where the runtime tells of the end
// when the tool's finalizer has run.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static int has_ended;

static void check_request(void)
{
    CHECK_EQ(has_ended, 0);
}

static void check_complete(int device)
{
    (void)device;
    CHECK_EQ(has_ended, 0);
}

static void end(void)
{
    __atomic_store_n(&has_ended, 1, __ATOMIC_RELEASE);
}

int main(void)
{
    int value = 1;
    tool_at_end = end;
    on_request = check_request;
    on_complete = check_complete;
    ompt_device_t *handle = meet_device(trace_all);
    tool_finalize();
    CHECK_EQ(has_ended, 1);
    for (int i = 0; i < 1000; i++) {
#pragma omp target map(tofrom : value)
        value++;
    }
    CHECK_EQ(value, 1001);
    CHECK_EQ(trace.stop(handle), 0);
    return check_result();
}
