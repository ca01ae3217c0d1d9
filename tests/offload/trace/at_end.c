// A trace that the tool does not stop is stopped and handed over before the device is finalised.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Stdout:checked
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static int finalized_before;

static void late(int device)
{
    (void)device;
    for (int i = 0; i < event_count; i++)
        finalized_before |= events[i].about == FINALIZE;
}

static void check_end(void)
{
    int finalized = 0;
    for (int i = 0; i < event_count; i++)
        finalized += events[i].about == FINALIZE;
    CHECK_EQ(finalized, 1);
    CHECK_EQ(finalized_before, 0);
    CHECK_EQ(records_of(ompt_callback_target_submit), 2);
    CHECK_EQ(buffers_back, buffers_given);
    if (check_failures)
        _exit(1);
    fputs("checked\n", stdout);
    fflush(stdout);
}

int main(void)
{
    int value = 1;
    tool_at_end = check_end;
    on_complete = late;
    buffer_bytes = 400;
    meet_device(trace_all);
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 2);
    return check_result();
}
