// Every record of a program with known transfers and kernels: kinds, sizes, addresses, order, ids that
// link them with the callbacks, and times within the host's bracket.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Flags:-rdynamic
#ifndef TARGET_TOOL
#define TARGET_TOOL 1
#endif
#include "device_trace.h"
#include <omp.h>

enum { LENGTH = 1000, BYTES = LENGTH * sizeof(int) };
static int data[LENGTH];
static double before[4], after[4];

__attribute__((noinline)) void enter(void)
{
    before[0] = omp_get_wtime();
#pragma omp target enter data map(to : data)
    after[0] = omp_get_wtime();
}

__attribute__((noinline)) void compute(void)
{
    before[1] = omp_get_wtime();
#pragma omp target teams distribute num_teams(2) map(tofrom : data)
    for (int i = 0; i < LENGTH; i++)
        data[i] = omp_get_num_teams();
    after[1] = omp_get_wtime();
}

__attribute__((noinline)) void update(void)
{
    before[2] = omp_get_wtime();
#pragma omp target update from(data)
    after[2] = omp_get_wtime();
}

__attribute__((noinline)) void leave(void)
{
    before[3] = omp_get_wtime();
#pragma omp target exit data map(from : data)
    after[3] = omp_get_wtime();
}

// What a record is to be: about the construct number `construct`, its endpoint or operation.
static const struct expected {
    ompt_callbacks_t type;
    int construct, kind, endpoint;
    const char *function;
} expected[] = {
    {ompt_callback_target, 0, ompt_target_enter_data, ompt_scope_begin, "enter"},
    {ompt_callback_target_data_op, 0, ompt_target_data_alloc, 0, "enter"},
    {ompt_callback_target_data_op, 0, ompt_target_data_transfer_to_device, 0, "enter"},
    {ompt_callback_target_map, 0, 0, 0, "enter"},
    {ompt_callback_target, 0, ompt_target_enter_data, ompt_scope_end, "enter"},
    {ompt_callback_target, 1, ompt_target, ompt_scope_begin, "compute"},
    {ompt_callback_target_map, 1, 0, 0, "compute"},
    {ompt_callback_target_submit, 1, 0, 0, NULL},
    {ompt_callback_target, 1, ompt_target, ompt_scope_end, "compute"},
    {ompt_callback_target, 2, ompt_target_update, ompt_scope_begin, "update"},
    {ompt_callback_target_data_op, 2, ompt_target_data_transfer_from_device, 0, "update"},
    {ompt_callback_target, 2, ompt_target_update, ompt_scope_end, "update"},
    {ompt_callback_target, 3, ompt_target_exit_data, ompt_scope_begin, "leave"},
    {ompt_callback_target_data_op, 3, ompt_target_data_transfer_from_device, 0, "leave"},
    {ompt_callback_target_map, 3, 0, 0, "leave"},
    {ompt_callback_target_data_op, 3, ompt_target_data_delete, 0, "leave"},
    {ompt_callback_target, 3, ompt_target_exit_data, ompt_scope_end, "leave"},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

// The event by the callback that the record must agree with.
static struct event *callback_of(enum about about, uint64_t operation)
{
    for (int i = 0; i < event_count; i++)
        if (events[i].about == about && events[i].operation == operation)
            return &events[i];
    return NULL;
}

// LLVM's omp_get_wtime tells whole microseconds.
static void check_times(int device, int construct, ompt_device_time_t begin, ompt_device_time_t end)
{
    CHECK(begin <= end);
    double from = trace.translate(device_of[device], begin), to = trace.translate(device_of[device], end);
    CHECK(before[construct] - 2e-6 <= from);
    CHECK(from <= to);
    CHECK(to <= after[construct] + 2e-6);
}

static void check_data_op(const struct expected *wanted, ompt_record_ompt_t *it, int device)
{
    ompt_record_target_data_op_t *op = &it->record.target_data_op;
    CHECK_EQ(op->optype, wanted->kind);
    CHECK_EQ(op->bytes, BYTES);
    CHECK(is_in(op->codeptr_ra, wanted->function));
    check_times(device, wanted->construct, it->time, op->end_time);
    struct event *event = callback_of(DATA_OP, op->host_op_id);
    if (event == NULL) {
        CHECK(event != NULL);
        return;
    }
    CHECK_EQ(event->kind, op->optype);
    CHECK_EQ(event->target, it->target_id);
    CHECK_EQ(event->from_device, op->src_device_num);
    CHECK_EQ(event->to_device, op->dest_device_num);
    CHECK(event->from == op->src_addr);
    CHECK_EQ(event->bytes, op->bytes);
    CHECK(event->code == op->codeptr_ra);
    if (wanted->kind == ompt_target_data_transfer_to_device)
        CHECK(op->src_addr == data && op->dest_device_num == device);
    if (wanted->kind == ompt_target_data_transfer_from_device)
        CHECK(op->dest_addr == data && op->src_device_num == device);
}

static void check_record(const struct expected *wanted, struct record *record, int device, uint64_t *target)
{
    ompt_record_ompt_t *it = &record->it;
    CHECK_EQ(record->format, ompt_record_ompt);
    CHECK_EQ(record->device, device);
    CHECK_EQ(it->type, wanted->type);
    CHECK(it->thread_id != 0 && it->target_id != 0);
    if (*target == 0)
        *target = it->target_id;
    CHECK_EQ(it->target_id, *target);
    if (it->type != wanted->type)
        return;
    ompt_record_target_kernel_t *kernel = &it->record.target_kernel;
    switch (wanted->type) {
    case ompt_callback_target:
        CHECK_EQ(it->record.target.kind, wanted->kind);
        CHECK_EQ(it->record.target.endpoint, wanted->endpoint);
        CHECK_EQ(it->record.target.device_num, device);
        CHECK_EQ(it->record.target.target_id, it->target_id);
        CHECK(it->record.target.task_id != 0);
        CHECK(is_in(it->record.target.codeptr_ra, wanted->function));
        check_times(device, wanted->construct, it->time, it->time);
        break;
    case ompt_callback_target_data_op:
        check_data_op(wanted, it, device);
        break;
    case ompt_callback_target_submit:
        CHECK_EQ(kernel->requested_num_teams, 2);
        // On LLVM's runtime the device cannot know how many teams there were if there are fewer
        // processors.
        if (kernel->granted_num_teams != 0 || omp_get_num_procs() >= 2)
            CHECK_EQ(kernel->granted_num_teams, data[0]);
        check_times(device, wanted->construct, it->time, kernel->end_time);
        CHECK(callback_of(SUBMIT, kernel->host_op_id) != NULL);
        break;
    default:
        CHECK(it->record.target_map.nitems >= 1);
        CHECK_EQ(it->record.target_map.target_id, it->target_id);
        CHECK(record->host == data && record->bytes == BYTES);
        check_times(device, wanted->construct, it->time, it->time);
    }
}

int main(void)
{
    int device = omp_get_default_device();
    tool_at_device = trace_all;
    enter();
    need_trace(device);
    compute();
    update();
    leave();
    CHECK_EQ(record_count, 0);
    CHECK_EQ(trace.flush(device_of[device]), 1);
    CHECK_EQ(record_count, EXPECTED);
    uint64_t targets[4] = {0};
    for (int i = 0; i < EXPECTED && i < record_count; i++)
        check_record(&expected[i], &records[i], device, &targets[expected[i].construct]);
    for (int i = 1; i < 4; i++)
        CHECK(targets[i] != targets[i - 1]);
    if (check_failures)
        print_records();
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(buffers_given, 1);
    CHECK_EQ(buffers_back, 1);
    CHECK_EQ(record_count, EXPECTED);
    return check_result();
}
