// A tool that refuses a buffer gets no record until it starts the trace again, with other functions.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static int value, requests_of_other;

static void other_request(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    requests_of_other++;
    request(device, buffer, bytes);
}

static void kernel(void)
{
#pragma omp target map(tofrom : value)
    value++;
}

int main(void)
{
    refuse_from = 0;
    ompt_device_t *handle = meet_device(trace_all);
    CHECK_EQ(trace.start(handle, request, complete), 0);
    CHECK_EQ(trace.flush(handle), 1);
    CHECK_EQ(buffers_requested, 1);
    // Starved: nothing is recorded, nobody is asked, and every call but the start is accepted.
    kernel();
    CHECK_EQ(trace.flush(handle), 1);
    CHECK_EQ(trace.pause(handle, 1), 1);
    CHECK_EQ(trace.pause(handle, 0), 1);
    kernel();
    CHECK_EQ(trace.flush(handle), 1);
    CHECK_EQ(buffers_requested, 1);
    CHECK_EQ(record_count, 0);
    refuse_from = -1;
    CHECK_EQ(trace.start(handle, other_request, complete), 1);
    kernel();
    CHECK_EQ(trace.flush(handle), 1);
    CHECK_EQ(requests_of_other, 1);
    CHECK_EQ(records_of(ompt_callback_target_submit), 1);
    // Refused in the middle: what was handed over stays.
    buffer_bytes = 400;
    refuse_from = buffers_requested + 2;
    kernel();
    kernel();
    CHECK_EQ(trace.flush(handle), 1);
    CHECK_EQ(buffers_requested, refuse_from + 1);
    CHECK_EQ(buffers_back, buffers_given);
    int kept = record_count;
    kernel();
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(trace.stop(handle), 0);
    CHECK_EQ(record_count, kept);
    CHECK_EQ(buffers_requested, refuse_from + 1);
    return check_result();
}
