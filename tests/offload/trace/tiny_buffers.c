// Buffers with room for one record lose nothing, and come back in the order of the requests.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { KERNELS = 500 };

int main(void)
{
    int device = omp_get_default_device(), value = 0;
    tool_at_device = trace_all;
    buffer_bytes = sizeof(ompt_record_ompt_t);
    for (int i = 0; i < KERNELS; i++) {
#pragma omp target map(tofrom : value)
        value++;
    }
    CHECK_EQ(value, KERNELS);
    need_trace(device);
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(records_of(ompt_callback_target), 2 * KERNELS);
    CHECK_EQ(records_of(ompt_callback_target_submit), KERNELS);
    CHECK_EQ(records_of(ompt_callback_target_data_op), 4 * KERNELS);
    CHECK(records_of(ompt_callback_target_map) >= KERNELS);
    CHECK(buffers_back >= 7 * KERNELS);
    CHECK_EQ(buffers_back, buffers_given);
    for (int i = 1; i < record_count; i++)
        CHECK(records[i].buffer >= records[i - 1].buffer);
    // In the order of creation: each construct's records stand together.
    for (int i = 1; i < record_count; i++)
        CHECK(records[i].it.target_id >= records[i - 1].it.target_id);
    return check_result();
}
