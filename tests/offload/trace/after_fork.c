// The child of a fork has no trace of its parent's, and can start one; the parent's goes on.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include "child.h"

static int value;

static void kernel(void)
{
#pragma omp target map(tofrom : value)
    value++;
}

static void child(ompt_device_t *handle)
{
    int before = record_count;
    CHECK_EQ(trace.flush(handle), 0);
    CHECK_EQ(trace.stop(handle), 0);
    kernel();
    CHECK_EQ(record_count, before);
    CHECK_EQ(trace.set_ompt(handle, 1, ompt_callback_target_submit), ompt_set_always);
    // The parent's buffer is lost to the child.
    buffers_back = buffers_given;
    CHECK_EQ(trace.start(handle, request, complete), 1);
    kernel();
    kernel();
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(record_count, before + 2);
}

int main(void)
{
    ompt_device_t *handle = meet_device(trace_all);
    for (int round = 0; round < 5; round++) {
        kernel();
        pid_t id = fork();
        if (id == 0) {
            child(handle);
            _exit(check_result());
        }
        must_succeed(id);
        kernel();
        CHECK_EQ(trace.flush(handle), 1);
        CHECK_EQ(records_of(ompt_callback_target_submit), 3 + 2 * round);
    }
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(buffers_back, buffers_given);
    return check_result();
}
