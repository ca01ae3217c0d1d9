// A tool that returns from neither of its functions before the program is done holds up nobody, and
// loses nothing.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { KERNELS = 400 };

static int is_done, waits;

static void wait_for_program(void)
{
    __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
        usleep(1000);
}

static void wait_of(int device)
{
    (void)device;
    wait_for_program();
}

int main(void)
{
    int device = omp_get_default_device(), value = 0;
    tool_at_device = trace_all;
    on_request = wait_for_program;
    on_complete = wait_of;
    buffer_bytes = 16 << 10;
    for (int i = 0; i < KERNELS; i++) {
#pragma omp target map(tofrom : value)
        value++;
    }
    CHECK_EQ(value, KERNELS);
    need_trace(device);
    // The tool still waits in the first call that it got, or has got none yet.
    CHECK(__atomic_load_n(&waits, __ATOMIC_RELAXED) <= 1);
    __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(records_of(ompt_callback_target_submit), KERNELS);
    CHECK_EQ(records_of(ompt_callback_target), 2 * KERNELS);
    CHECK_EQ(records_of(ompt_callback_target_data_op), 4 * KERNELS);
    CHECK_EQ(buffers_back, buffers_given);
    CHECK(buffers_back > 10);
    return check_result();
}
