// A tool of the 2015 report traces devices: native records of known transfers and kernels, correlation
// records that link them with the target tasks of the callbacks, standard records of their ends; buffers,
// cursors, states and answers by the conventions of the report.
//#Flags:-rdynamic
//#Env:OXOMP_HOST_DEVICES=2
//#StockFails:its connection serves tools of OpenMP 5 only
//#LibompFails:it has no tools of the 2015 report
#include "../../../include/ompt.h"
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST = 104, MOST = 10000 };

static ompt_target_device_t *device;
static ompt_function_lookup_t look_up;
static ompt_get_thread_id_t get_thread_id;
static ompt_target_get_device_info_t get_device_info;
static struct {
    ompt_target_get_time_t time;
    ompt_target_translate_time_t translate;
    ompt_target_set_trace_ompt_t set_ompt;
    ompt_target_set_trace_native_t set_native;
    ompt_target_start_trace_t start;
    ompt_target_pause_trace_t pause;
    ompt_target_stop_trace_t stop;
    ompt_target_advance_buffer_cursor_t advance;
    ompt_target_buffer_get_record_type_t type;
    ompt_target_buffer_get_record_ompt_t ompt;
    ompt_target_buffer_get_record_correlation_t correlation;
    ompt_target_buffer_get_record_native_t native;
    ompt_target_buffer_get_record_native_abstract_t abstract;
} trace;

static struct record {
    ompt_record_type_t format;
    ompt_record_ompt_t it;
    ompt_record_correlation_t link;
    ompt_record_native_abstract_t view;
} records[MOST];
static int record_count, buffers_given, buffers_back, refuses;
static size_t buffer_bytes = 1 << 16;
static uint64_t tasks[100], maps[100];
static int task_count, task_ends, map_count;

static void on_task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task, int number,
                          const void *code, ompt_target_task_type_t type)
{
    (void)parent, (void)frame, (void)number, (void)code, (void)type;
    tasks[task_count++] = task;
}

static void on_task_end(ompt_task_id_t task)
{
    (void)task;
    task_ends++;
}

static void on_map_begin(ompt_task_id_t task, int number, const ompt_target_map_entry_t *items, uint32_t count,
                         ompt_target_activity_id_t map)
{
    (void)task, (void)number, (void)items, (void)count;
    maps[map_count++] = map;
}

static void on_map_end(int number, ompt_target_activity_id_t map)
{
    (void)number, (void)map;
}

static void request(int number, ompt_target_buffer_t **buffer, size_t *bytes)
{
    CHECK_EQ(number, 0);
    CHECK_EQ(get_thread_id(), 0);
    *bytes = refuses ? 0 : buffer_bytes;
    *buffer = refuses ? NULL : malloc(buffer_bytes);
    buffers_given += !refuses;
}

static void complete(int number, const ompt_target_buffer_t *given, size_t bytes, ompt_target_buffer_cursor_t at,
                     ompt_target_buffer_cursor_t end)
{
    ompt_target_buffer_t *buffer = (ompt_target_buffer_t *)given;
    CHECK_EQ(number, 0);
    CHECK_EQ(bytes, buffer_bytes);
    CHECK(at < end && end <= bytes);
    CHECK_EQ(trace.type(buffer, end), ompt_record_invalid);
    CHECK_EQ(trace.type(buffer, at + 1), ompt_record_invalid);
    CHECK_EQ(trace.advance(buffer, end, &at), 1);
    CHECK_EQ(trace.advance(buffer, at, NULL), 1);
    do {
        struct record *record = &records[record_count++];
        record->format = trace.type(buffer, at);
        CHECK_EQ(trace.ompt(buffer, at) != NULL, record->format == ompt_record_ompt);
        CHECK_EQ(trace.correlation(buffer, at) != NULL, record->format == ompt_record_correlation);
        CHECK_EQ(trace.native(buffer, at) != NULL, record->format == ompt_record_native);
        if (record->format == ompt_record_ompt)
            record->it = *trace.ompt(buffer, at);
        else if (record->format == ompt_record_correlation)
            record->link = *trace.correlation(buffer, at);
        else
            record->view = *trace.abstract(trace.native(buffer, at));
    } while (trace.advance(buffer, at, &at) == 0);
    buffers_back++;
    free(buffer);
}

static const struct expected {
    const char *type;
    int map;
} expected[] = {{"allocate", 0}, {"copy_to_device", 1}, {"kernel_execution", -1}, {"copy_from_device", 2}, {"free", 3}};
enum { EXPECTED = 5 };

static void on_shutdown(void)
{
    if (buffers_back != buffers_given || record_count != 2 * EXPECTED + 1)
        _exit(2);
}

static void start(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    (void)runtime, (void)version;
    get_device_info = (ompt_target_get_device_info_t)lookup("ompt_target_get_device_info");
    get_thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_event_target_task_begin, (ompt_callback_t)on_task_begin);
    set(ompt_event_target_task_end, (ompt_callback_t)on_task_end);
    set(ompt_event_target_data_map_begin, (ompt_callback_t)on_map_begin);
    set(ompt_event_target_data_map_end, (ompt_callback_t)on_map_end);
    set(ompt_event_runtime_shutdown, (ompt_callback_t)on_shutdown);
}

ompt_initialize_fn_t ompt_tool(void)
{
    return start;
}

static int data[1000];

static void program(void)
{
    record_count = task_count = task_ends = map_count = 0;
#pragma omp target teams num_teams(2) map(tofrom : data) device(0)
    data[omp_get_team_num()]++;
}

// A link and an operation for each expected one, then the end of the target task.
static void check_records(double before, double after)
{
    CHECK_EQ(task_count, 1);
    CHECK_EQ(task_ends, 1);
    CHECK_EQ(map_count, 4);
    CHECK_EQ(record_count, 2 * EXPECTED + 1);
    uint64_t last = 0;
    for (int i = 0; i < EXPECTED; i++) {
        struct record *link = &records[2 * i], *native = &records[2 * i + 1];
        CHECK_EQ(link->format, ompt_record_correlation);
        CHECK_EQ(native->format, ompt_record_native);
        if (link->format != ompt_record_correlation || native->format != ompt_record_native)
            continue;
        CHECK_EQ(link->link.host_task_id, tasks[0]);
        CHECK_EQ(link->link.dev_task_id, native->view.dev_task_id);
        if (expected[i].map >= 0)
            CHECK_EQ(native->view.dev_task_id, maps[expected[i].map]);
        CHECK(strcmp(native->view.type, expected[i].type) == 0);
        CHECK_EQ(native->view.rclass, ompt_record_native_class_event);
        CHECK(native->view.hwid != (uint64_t)-1);
        CHECK(native->view.start_time >= last);
        CHECK(native->view.end_time >= native->view.start_time);
        last = native->view.end_time;
        CHECK(before <= trace.translate(device, native->view.start_time) + 1e-7);
        CHECK(trace.translate(device, native->view.end_time) <= after + 1e-7);
    }
    struct record *end = &records[2 * EXPECTED];
    CHECK_EQ(end->format, ompt_record_ompt);
    CHECK_EQ(end->it.type, ompt_event_target_task_end);
    CHECK_EQ(end->it.record.task.task_id, tasks[0]);
    CHECK(end->it.time >= last && end->it.thread_id != 0);
    CHECK(end->it.dev_task_id == ompt_dev_task_none);
}

static void find_functions(void)
{
    struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"ompt_target_get_time", &trace.time}, {"ompt_target_translate_time", &trace.translate},
        {"ompt_target_set_trace_ompt", &trace.set_ompt}, {"ompt_target_set_trace_native", &trace.set_native},
        {"ompt_target_start_trace", &trace.start}, {"ompt_target_pause_trace", &trace.pause},
        {"ompt_target_stop_trace", &trace.stop}, {"ompt_target_advance_buffer_cursor", &trace.advance},
        {"ompt_target_buffer_get_record_type", &trace.type}, {"ompt_target_buffer_get_record_ompt", &trace.ompt},
        {"ompt_target_buffer_get_record_correlation", &trace.correlation},
        {"ompt_target_buffer_get_record_native", &trace.native},
        {"ompt_target_buffer_get_record_native_abstract", &trace.abstract},
    };
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ompt_interface_fn_t function = look_up(wanted[i].name);
        CHECK(function != NULL);
        memcpy(wanted[i].function, &function, sizeof function);
    }
    CHECK(look_up("ompt_start_trace") == NULL);
    CHECK(look_up(NULL) == NULL);
}

int main(void)
{
    const char *type = NULL;
    program();
    CHECK_EQ(get_device_info(0, &type, &device, &look_up, NULL), 0);
    CHECK(type != NULL);
    ompt_target_device_t *other;
    CHECK_EQ(get_device_info(1, NULL, &other, &look_up, NULL), 0);
    CHECK(other != device);
    find_functions();
    CHECK_EQ(trace.set_ompt(device, 1, 0), 3);
    CHECK_EQ(trace.set_ompt(device, 0, 0), 3);
    CHECK_EQ(trace.set_ompt(device, 1, ompt_event_target_task_end), 4);
    CHECK_EQ(trace.set_ompt(device, 1, ompt_event_target_task_begin), 1);
    CHECK_EQ(trace.set_ompt(device, 1, 71), 0);
    CHECK_EQ(trace.set_ompt(NULL, 1, 0), 0);
    CHECK_EQ(trace.set_native(device, 1, ompt_native_idleness), 1);
    CHECK_EQ(trace.set_native(device, 1, ompt_native_driver | ompt_native_idleness), 3);
    unsigned flags = ompt_native_data_motion_implicit | ompt_native_kernel_execution | ompt_native_driver;
    CHECK_EQ(trace.set_native(device, 1, flags), 4);
    CHECK_EQ(trace.pause(device, 1), 0);
    CHECK_EQ(trace.stop(device), 0);
    CHECK(trace.time(NULL) == ompt_time_none);
    CHECK_EQ(trace.start(NULL, request, complete), 0);
    static const size_t sizes[] = {1 << 16, LEAST, 300};
    for (int i = 0; i < 3; i++) {
        buffer_bytes = sizes[i];
        CHECK_EQ(trace.start(device, request, complete), 1);
        CHECK_EQ(trace.start(device, request, complete), 0);
        double before = omp_get_wtime();
        program();
        double now = trace.translate(device, trace.time(device));
        double after = omp_get_wtime();
        CHECK(before <= now + 1e-7 && now <= after + 1e-7);
        CHECK_EQ(trace.stop(device), 1);
        check_records(before, after);
        CHECK_EQ(buffers_back, buffers_given);
    }
    // Paused; refused and started again.
    CHECK_EQ(trace.start(device, request, complete), 1);
    CHECK_EQ(trace.pause(device, 1), 1);
    program();
    CHECK_EQ(trace.pause(device, 0), 1);
    CHECK_EQ(trace.stop(device), 1);
    CHECK_EQ(record_count, 0);
    refuses = 1;
    CHECK_EQ(trace.start(device, request, complete), 1);
    program();
    CHECK_EQ(trace.stop(device), 1);
    CHECK_EQ(record_count, 0);
    refuses = 0;
    CHECK_EQ(trace.start(device, request, complete), 1);
    program();
    CHECK_EQ(trace.stop(device), 1);
    CHECK_EQ(record_count, 2 * EXPECTED + 1);
    CHECK_EQ(buffers_back, buffers_given);
    // The trace that runs at the end.
    CHECK_EQ(trace.start(device, request, complete), 1);
    program();
    return check_result();
}
