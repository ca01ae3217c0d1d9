// A buffer with room for less than a record is a refusal; the tool gets it back without a record.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

int main(void)
{
    int device = omp_get_default_device(), value = 0;
    tool_at_device = trace_all;
    for (size_t bytes = 1; bytes < sizeof(ompt_record_ompt_t); bytes += 17) {
        buffer_bytes = bytes;
        int given = buffers_given;
#pragma omp target map(tofrom : value)
        value++;
        need_trace(device);
        CHECK_EQ(trace.flush(device_of[device]), 1);
        CHECK_EQ(buffers_given, given + 1);
        CHECK_EQ(buffers_back, given + 1);
        CHECK_EQ(record_count, 0);
        CHECK_EQ(trace.start(device_of[device], request, complete), 1);
    }
    buffer_bytes = sizeof(ompt_record_ompt_t);
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(records_of(ompt_callback_target_submit), 1);
    return check_result();
}
