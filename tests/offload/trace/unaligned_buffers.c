// A buffer of the size that the device names is large enough wherever it begins.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static void as_small_as_allowed(void)
{
    buffer_bytes = least_bytes;
}

int main(void)
{
    int device = omp_get_default_device(), value = 0;
    tool_at_device = trace_all;
    on_request = as_small_as_allowed;
    for (buffer_skew = 0; buffer_skew < 16; buffer_skew++) {
        int before = record_count;
#pragma omp target map(tofrom : value)
        value++;
        need_trace(device);
        CHECK_EQ(trace.flush(device_of[device]), 1);
        CHECK(record_count >= before + 7);
        CHECK_EQ(buffers_back, buffers_given);
    }
    CHECK_EQ(value, 16);
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(records_of(ompt_callback_target), 2 * 16);
    CHECK_EQ(records_of(ompt_callback_target_submit), 16);
    CHECK_EQ(records_of(ompt_callback_target_data_op), 4 * 16);
    return check_result();
}
