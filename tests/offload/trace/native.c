// Native records: each flag alone gives its types, with the ids of the operations, times that agree with
// the standard records', and the processor.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

// As the device's documentation has it.
struct native {
    uint32_t kind;
    int32_t processor;
    uint64_t start, end, target_id, host_op_id, activity, bytes;
    double bytes_per_second;
    void *from, *to;
    uint32_t thread, teams;
};

static int data[1 << 16];
static ompt_device_t *handle;
static int device;
static int natives;

static void check_native(int number, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at, int is_owned)
{
    ompt_buffer_cursor_t cursor = at;
    do {
        if (trace.type(buffer, cursor) != ompt_record_native)
            continue;
        uint64_t operation = 42;
        struct native *native = trace.native(buffer, cursor, &operation);
        ompt_record_abstract_t *view = trace.abstract(native);
        CHECK_EQ(operation, native->host_op_id);
        CHECK_EQ(view->rclass, ompt_record_native_event);
        CHECK(view->start_time == native->start && view->end_time == native->end);
        CHECK(view->start_time <= view->end_time);
        CHECK_EQ(view->hwid, native->processor + 1);
        CHECK(native->processor >= 0 && native->target_id != 0);
        if (strncmp(view->type, "copy", 4) == 0) {
            CHECK_EQ(native->bytes, sizeof data);
            double seconds = 1e-9 * (double)(native->end - native->start);
            CHECK(native->bytes_per_second * seconds > 0.99 * sizeof data);
            CHECK(native->bytes_per_second * seconds < 1.01 * sizeof data);
            CHECK(native->from == data || native->to == data);
        }
        if (strcmp(view->type, "kernel_execution") == 0)
            CHECK_EQ(native->teams, 1);
        natives++;
    } while (trace.advance(handle, buffer, bytes, cursor, &cursor));
    complete(number, buffer, bytes, at, is_owned);
}

static void program(void)
{
#pragma omp target map(tofrom : data)
    data[0]++;
#pragma omp target enter data map(to : data)
#pragma omp target update to(data)
#pragma omp target exit data map(from : data)
}

static int of_type(const char *type)
{
    int found = 0;
    for (int i = 0; i < record_count; i++)
        found += records[i].format == ompt_record_native && strcmp(records[i].view.type, type) == 0;
    return found;
}

int main(void)
{
    static const struct {
        int flag, all;
        struct {
            const char *type;
            int count;
        } types[2];
    } flags[] = {
        {ompt_native_data_motion_explicit, 1, {{"copy_to_device", 1}, {"copy_from_device", 0}}},
        {ompt_native_data_motion_implicit, 4, {{"copy_to_device", 2}, {"copy_from_device", 2}}},
        {ompt_native_kernel_invocation, 1, {{"kernel_invocation", 1}, {"kernel_execution", 0}}},
        {ompt_native_kernel_execution, 1, {{"kernel_execution", 1}, {"kernel_invocation", 0}}},
        {ompt_native_driver, 4, {{"allocate", 2}, {"free", 2}}},
        {ompt_native_runtime, 4, {{"construct", 4}, {"queue_wait", 0}}},
        {ompt_native_overhead, 4, {{"queue_wait", 4}, {"construct", 0}}},
    };
    device = omp_get_default_device();
    tool_at_device = find_functions;
    program();
    need_trace(device);
    handle = device_of[device];
    CHECK_EQ(trace.start(handle, request, check_native), 1);
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
        record_count = 0;
        CHECK_EQ(trace.set_native(handle, 1, flags[i].flag), ompt_set_always);
        program();
        CHECK_EQ(trace.set_native(handle, 0, flags[i].flag), ompt_set_always);
        program();
        CHECK_EQ(trace.flush(handle), 1);
        CHECK_EQ(record_count, flags[i].all);
        for (int k = 0; k < 2; k++)
            CHECK_EQ(of_type(flags[i].types[k].type), flags[i].types[k].count);
    }
    CHECK_EQ(trace.set_native(handle, 1, ompt_native_idleness), ompt_set_impossible);
    CHECK_EQ(trace.set_native(handle, 1, ompt_native_idleness | ompt_native_driver), ompt_set_sometimes);
    CHECK_EQ(trace.set_native(handle, 0, ompt_native_driver), ompt_set_always);
    CHECK_EQ(trace.set_native(handle, 1, 0), ompt_set_error);
    // Kinds that no version of OpenMP has are not recorded either; a mask of ones has all kinds that are.
    CHECK_EQ(trace.set_native(handle, 1, 1 << 10), ompt_set_impossible);
    CHECK_EQ(trace.set_native(handle, 1, -1), ompt_set_sometimes);
    CHECK_EQ(trace.set_native(handle, 0, -1), ompt_set_sometimes);
    // Beside the standard records: same operation, same times.
    record_count = 0;
    trace.set_ompt(handle, 1, ompt_callback_target_submit);
    trace.set_native(handle, 1, ompt_native_kernel_execution);
    program();
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(record_count, 2);
    ompt_record_target_kernel_t *kernel = &records[0].it.record.target_kernel;
    CHECK(records[0].format == ompt_record_ompt && records[1].format == ompt_record_native);
    CHECK(records[1].operation == kernel->host_op_id && kernel->host_op_id != 0);
    CHECK(records[1].view.start_time == records[0].it.time && records[1].view.end_time == kernel->end_time);
    CHECK_EQ(natives, 1 + 4 + 1 + 1 + 4 + 4 + 4 + 1);
    return check_result();
}
