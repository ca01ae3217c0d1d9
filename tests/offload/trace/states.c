// Start, pause, resume, flush and stop in every state but that of a refused buffer; a flush with nothing
// collected hands over nothing; a pause makes no record.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static int value;

static int kernels_recorded(ompt_device_t *handle)
{
    int before = records_of(ompt_callback_target_submit);
#pragma omp target map(tofrom : value)
    value++;
    trace.flush(handle);
    return records_of(ompt_callback_target_submit) - before;
}

int main(void)
{
    ompt_device_t *handle = meet_device(find_functions);
    CHECK_EQ(trace.set_ompt(handle, 1, ompt_callback_target_submit), ompt_set_always);
    CHECK_EQ(trace.pause(handle, 1), 0);
    CHECK_EQ(trace.pause(handle, 0), 0);
    CHECK_EQ(trace.flush(handle), 0);
    CHECK_EQ(trace.stop(handle), 0);
    CHECK_EQ(kernels_recorded(handle), 0);
    for (int round = 0; round < 3; round++) {
        CHECK_EQ(trace.start(handle, request, complete), 1);
        CHECK_EQ(trace.start(handle, request, complete), 0);
        int back = buffers_back;
        CHECK_EQ(trace.flush(handle), 1);
        CHECK_EQ(buffers_back, back);
        CHECK_EQ(kernels_recorded(handle), 1);
        CHECK_EQ(trace.pause(handle, 0), 1);
        CHECK_EQ(kernels_recorded(handle), 1);
        CHECK_EQ(trace.pause(handle, 1), 1);
        CHECK_EQ(kernels_recorded(handle), 0);
        CHECK_EQ(trace.pause(handle, 1), 1);
        CHECK_EQ(trace.start(handle, request, complete), 0);
        CHECK_EQ(kernels_recorded(handle), 0);
        CHECK_EQ(trace.flush(handle), 1);
        CHECK_EQ(trace.pause(handle, 0), 1);
        CHECK_EQ(kernels_recorded(handle), 1);
        back = buffers_back;
        CHECK_EQ(trace.stop(handle), 1);
        CHECK_EQ(buffers_back, back);
        CHECK_EQ(trace.flush(handle), 0);
        CHECK_EQ(kernels_recorded(handle), 0);
    }
    // Stopped in a pause, with a record that was made before it.
    CHECK_EQ(trace.start(handle, request, complete), 1);
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(trace.pause(handle, 1), 1);
    int before = record_count;
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(record_count, before + 1);
    CHECK_EQ(buffers_back, buffers_given);
    return check_result();
}
