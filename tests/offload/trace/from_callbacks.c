// The tool calls every function of a trace from inside of its functions for buffers.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { KERNELS = 50 };
static int value, restarts;

static void in_complete(int device)
{
    ompt_device_t *handle = device_of[device];
    CHECK(trace.time(handle) != 0);
    CHECK_EQ(trace.flush(handle), 1);
    CHECK_EQ(trace.pause(handle, 1), 1);
    CHECK_EQ(trace.pause(handle, 0), 1);
    CHECK_EQ(trace.start(handle, request, complete), 0);
    if (buffers_back % 7 != 0)
        return;
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(trace.flush(handle), 0);
    CHECK_EQ(trace.start(handle, request, complete), 1);
    restarts++;
}

static void in_request(void)
{
    // The trace may be stopped: its records follow.
    trace.flush(device_of[0]);
}

int main(void)
{
    int device = omp_get_default_device();
    tool_at_device = trace_all;
    on_request = in_request;
    on_complete = in_complete;
    buffer_bytes = 3 * sizeof(ompt_record_ompt_t);
    for (int i = 0; i < KERNELS; i++) {
#pragma omp target map(tofrom : value)
        value++;
        need_trace(device);
        CHECK_EQ(trace.flush(device_of[device]), 1);
    }
    CHECK_EQ(trace.flush(device_of[device]), 1);
    // Nothing was recorded while the tool stopped the trace, but nothing happened then either.
    CHECK_EQ(records_of(ompt_callback_target_submit), KERNELS);
    CHECK_EQ(records_of(ompt_callback_target_data_op), 4 * KERNELS);
    CHECK(restarts > 10);
    CHECK_EQ(buffers_back, buffers_given);
    on_complete = NULL;
    CHECK_EQ(trace.stop(device_of[device]), 1);
    return check_result();
}
