// Several devices are traced at once, with the buffers of each; the trace of one stops alone.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Env:OXOMP_HOST_DEVICES=3
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { DEVICES = 3 };
static int data[DEVICES][100];

static void run(int first, int times)
{
    for (int device = first; device < DEVICES; device++)
        for (int i = 0; i < times + device; i++) {
#pragma omp target map(tofrom : data[device]) device(device)
            data[device][0]++;
        }
}

static void check_kernels(int device, int wanted)
{
    int found = 0;
    for (int i = 0; i < record_count; i++) {
        if (records[i].device != device)
            continue;
        ompt_record_ompt_t *it = &records[i].it;
        found += it->type == ompt_callback_target_submit;
        if (it->type == ompt_callback_target)
            CHECK_EQ(it->record.target.device_num, device);
        if (it->type == ompt_callback_target_data_op) {
            ompt_record_target_data_op_t *op = &it->record.target_data_op;
            CHECK(op->src_device_num == device || op->dest_device_num == device);
        }
    }
    CHECK_EQ(found, wanted);
}

int main(void)
{
    CHECK_EQ(omp_get_num_devices(), DEVICES);
    tool_at_device = trace_all;
    buffer_bytes = 300;
    run(0, 10);
    for (int device = 0; device < DEVICES; device++) {
        need_trace(device);
        for (int other = 0; other < device; other++)
            CHECK(device_of[other] != device_of[device]);
        CHECK_EQ(trace.flush(device_of[device]), 1);
    }
    for (int device = 0; device < DEVICES; device++)
        check_kernels(device, 10 + device);
    CHECK_EQ(trace.stop(device_of[0]), 1);
    run(0, 5);
    CHECK_EQ(trace.stop(device_of[2]), 1);
    CHECK_EQ(trace.stop(device_of[1]), 1);
    check_kernels(0, 10);
    check_kernels(1, 17);
    check_kernels(2, 19);
    CHECK_EQ(buffers_back, buffers_given);
    // Data that go from one device to another are an operation of the second.
    CHECK_EQ(trace.start(device_of[0], request, complete), 1);
    CHECK_EQ(trace.start(device_of[1], request, complete), 1);
    char *from = omp_target_alloc(64, 0), *to = omp_target_alloc(64, 1);
    record_count = 0;
    CHECK_EQ(omp_target_memcpy(to, from, 64, 0, 0, 1, 0), 0);
    CHECK_EQ(trace.stop(device_of[0]), 1);
    CHECK_EQ(trace.stop(device_of[1]), 1);
    int found = 0;
    for (int i = 0; i < record_count; i++)
        if (records[i].it.type == ompt_callback_target_data_op
            && records[i].it.record.target_data_op.src_addr == from) {
            found++;
            CHECK_EQ(records[i].device, 1);
            CHECK(records[i].it.record.target_data_op.dest_addr == to);
            CHECK_EQ(records[i].it.record.target_data_op.src_device_num, 0);
        }
    CHECK_EQ(found, 1);
    omp_target_free(from, 0);
    omp_target_free(to, 1);
    return check_result();
}
