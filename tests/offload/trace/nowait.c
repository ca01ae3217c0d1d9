// Deferred kernels and data are in the trace, with the kinds for nowait.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { KERNELS = 300 };
static int data[KERNELS];

int main(void)
{
    int device = omp_get_default_device();
    tool_at_device = trace_all;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp target enter data map(to : data) nowait depend(out : data)
        for (int i = 0; i < KERNELS; i++) {
#pragma omp target map(tofrom : data) nowait depend(inout : data[i]) depend(in : data)
            data[i] += i;
        }
#pragma omp taskwait
#pragma omp target exit data map(from : data) nowait
#pragma omp taskwait
    }
    need_trace(device);
    for (int i = 0; i < KERNELS; i++)
        CHECK_EQ(data[i], i);
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(records_of(ompt_callback_target_submit), KERNELS);
    int found[16] = {0};
    for (int i = 0; i < record_count; i++)
        if (records[i].it.type == ompt_callback_target && records[i].it.record.target.endpoint == ompt_scope_end)
            found[records[i].it.record.target.kind & 15]++;
    CHECK_EQ(found[ompt_target_nowait], KERNELS);
    CHECK_EQ(found[ompt_target_enter_data_nowait], 1);
    CHECK_EQ(found[ompt_target_exit_data_nowait], 1);
    int transfers = 0;
    for (int i = 0; i < record_count; i++)
        transfers += records[i].it.type == ompt_callback_target_data_op
            && records[i].it.record.target_data_op.bytes == sizeof data;
    // To the device, from it, and what makes and frees its memory.
    CHECK_EQ(transfers, 4);
    return check_result();
}
