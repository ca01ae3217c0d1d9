// A tool inside of the program that traces devices: it keeps every record, in the order of delivery.
// The program may change the size of buffers, refuse them, and be slow.
#ifndef DEVICE_TRACE_H
#define DEVICE_TRACE_H

#include "target_tool.h"
#include <stdlib.h>
#include <unistd.h>

// The functions of a device; get_buffer_limits is of OpenMP 6.0 and not in the compiler's header.
static struct {
    ompt_get_device_num_procs_t num_procs;
    ompt_get_device_time_t time;
    ompt_translate_time_t translate;
    ompt_set_trace_ompt_t set_ompt;
    ompt_set_trace_native_t set_native;
    void (*limits)(ompt_device_t *, int *, size_t *);
    ompt_start_trace_t start;
    ompt_pause_trace_t pause;
    ompt_flush_trace_t flush;
    ompt_stop_trace_t stop;
    ompt_advance_buffer_cursor_t advance;
    ompt_get_record_type_t type;
    ompt_get_record_ompt_t ompt;
    ompt_get_record_native_t native;
    ompt_get_record_abstract_t abstract;
} trace;

enum { MOST_DEVICES = 8, MOST_RECORDS = 400000, MOST_OPEN = 100000 };
static ompt_device_t *device_of[MOST_DEVICES];

// A record: of a map record the first item; of a native one its abstract view. buffer counts the
// buffers that were completed before.
struct record {
    ompt_record_t format;
    int device, buffer;
    ompt_record_ompt_t it;
    void *host, *there;
    size_t bytes;
    unsigned flags;
    ompt_record_abstract_t view;
    uint64_t operation;
};
static struct record *records;
static int record_count, buffers_requested, buffers_given, buffers_back;

// What the tool does. The hooks are called on the runtime's thread.
static size_t buffer_bytes = 1 << 16, buffer_skew, least_bytes;
static int refuse_from = -1;
static void (*on_request)(void), (*on_complete)(int device);
static ompt_buffer_t *open_buffers[MOST_OPEN];

static void request(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    (void)device;
    int number = __atomic_fetch_add(&buffers_requested, 1, __ATOMIC_RELAXED);
    // The device says what it needs at least (OpenMP 6.0 §35.5), wherever the buffer begins.
    CHECK_EQ(*bytes, sizeof(ompt_record_ompt_t) + 7);
    least_bytes = *bytes;
    if (on_request != NULL)
        on_request();
    if (refuse_from >= 0 && number >= refuse_from) {
        *buffer = NULL;
        *bytes = 0;
        return;
    }
    *buffer = (char *)malloc(buffer_bytes + buffer_skew) + buffer_skew;
    *bytes = buffer_bytes;
    open_buffers[buffers_given % MOST_OPEN] = *buffer;
    __atomic_fetch_add(&buffers_given, 1, __ATOMIC_RELAXED);
}

static inline void keep(int device, ompt_buffer_t *buffer, ompt_buffer_cursor_t at)
{
    if (record_count == MOST_RECORDS)
        return;
    struct record *record = &records[record_count];
    *record = (struct record){.format = trace.type(buffer, at), .device = device, .buffer = buffers_back};
    if (record->format == ompt_record_ompt) {
        record->it = *trace.ompt(buffer, at);
        CHECK(trace.native(buffer, at, NULL) == NULL);
        if (record->it.type == ompt_callback_target_map || record->it.type == ompt_callback_target_map_emi) {
            ompt_record_target_map_t *map = &record->it.record.target_map;
            record->host = map->host_addr[0];
            record->there = map->device_addr[0];
            record->bytes = map->bytes[0];
            record->flags = map->mapping_flags[0];
        }
    } else {
        CHECK_EQ(record->format, ompt_record_native);
        CHECK(trace.ompt(buffer, at) == NULL);
        record->view = *trace.abstract(trace.native(buffer, at, &record->operation));
    }
    record_count++;
}

static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at, int is_owned)
{
    CHECK_EQ(is_owned, 1);
    CHECK_EQ(bytes, buffer_bytes);
    CHECK(open_buffers[buffers_back % MOST_OPEN] == buffer);
    if (trace.type(buffer, at) != ompt_record_invalid)
        do
            keep(device, buffer, at);
        while (trace.advance(device_of[device], buffer, bytes, at, &at));
    buffers_back++;
    memset(buffer, 0xA5, bytes);
    free((char *)buffer - buffer_skew);
    if (on_complete != NULL)
        on_complete(device);
}

static inline int is_traceable(void)
{
    return trace.start != NULL;
}

static inline void find_functions(int device, ompt_device_t *handle, ompt_function_lookup_t lookup)
{
    if (records == NULL)
        records = malloc(MOST_RECORDS * sizeof *records);
    if (device < MOST_DEVICES)
        device_of[device] = handle;
    if (lookup == NULL)
        return;
    struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"ompt_get_device_num_procs", &trace.num_procs}, {"ompt_get_device_time", &trace.time},
        {"ompt_translate_time", &trace.translate}, {"ompt_set_trace_ompt", &trace.set_ompt},
        {"ompt_set_trace_native", &trace.set_native}, {"ompt_get_buffer_limits", &trace.limits},
        {"ompt_start_trace", &trace.start}, {"ompt_pause_trace", &trace.pause},
        {"ompt_flush_trace", &trace.flush}, {"ompt_stop_trace", &trace.stop},
        {"ompt_advance_buffer_cursor", &trace.advance}, {"ompt_get_record_type", &trace.type},
        {"ompt_get_record_ompt", &trace.ompt}, {"ompt_get_record_native", &trace.native},
        {"ompt_get_record_abstract", &trace.abstract},
    };
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ompt_interface_fn_t function = lookup(wanted[i].name);
        CHECK(function != NULL);
        CHECK(tool_lookup(wanted[i].name) == NULL);
        memcpy(wanted[i].function, &function, sizeof function);
    }
}

// Traces everything from the device's initialization on.
static inline void trace_all(int device, ompt_device_t *handle, ompt_function_lookup_t lookup)
{
    find_functions(device, handle, lookup);
    if (!is_traceable())
        return;
    CHECK(trace.set_ompt(handle, 1, 0) > ompt_set_impossible);
    CHECK_EQ(trace.start(handle, request, complete), 1);
}

// Lets the program end if nothing can be traced, since nothing can be checked.
static inline void need_trace(int device)
{
    if (is_traceable() && device_of[device] != NULL)
        return;
    fprintf(stderr, "device %d cannot be traced\n", device);
    _exit(1);
}

// Has the program meet its default device, by a kernel, with this hook of the tool; its handle.
static inline ompt_device_t *meet_device(void (*at_device)(int, ompt_device_t *, ompt_function_lookup_t))
{
    int device = omp_get_default_device(), value = 0;
    tool_at_device = at_device;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    need_trace(device);
    return device_of[device];
}

// The record number `which` of this type, counted from 0; NULL if there is none.
static inline struct record *record_of(ompt_callbacks_t type, int which)
{
    for (int i = 0; i < record_count; i++)
        if (records[i].format == ompt_record_ompt && records[i].it.type == type && which-- == 0)
            return &records[i];
    return NULL;
}

static inline int records_of(ompt_callbacks_t type)
{
    int found = 0;
    for (int i = 0; i < record_count; i++)
        found += records[i].format == ompt_record_ompt && records[i].it.type == type;
    return found;
}

static inline void print_records(void)
{
    for (int i = 0; i < record_count; i++) {
        ompt_record_ompt_t *it = &records[i].it;
        fprintf(stderr, "  %d: format=%d device=%d type=%d time=%llu thread=%llu target=%llu ", i, records[i].format,
                records[i].device, it->type, (unsigned long long)it->time, (unsigned long long)it->thread_id,
                (unsigned long long)it->target_id);
        if (records[i].format == ompt_record_native)
            fprintf(stderr, "%s %llu..%llu on %llu operation=%llu", records[i].view.type,
                    (unsigned long long)records[i].view.start_time, (unsigned long long)records[i].view.end_time,
                    (unsigned long long)records[i].view.hwid, (unsigned long long)records[i].operation);
        else if (it->type == ompt_callback_target_data_op)
            fprintf(stderr, "op=%llu kind=%d %p@%d -> %p@%d bytes=%zu end=%llu",
                    (unsigned long long)it->record.target_data_op.host_op_id, it->record.target_data_op.optype,
                    it->record.target_data_op.src_addr, it->record.target_data_op.src_device_num,
                    it->record.target_data_op.dest_addr, it->record.target_data_op.dest_device_num,
                    it->record.target_data_op.bytes, (unsigned long long)it->record.target_data_op.end_time);
        else if (it->type == ompt_callback_target_submit)
            fprintf(stderr, "op=%llu teams=%u of %u end=%llu",
                    (unsigned long long)it->record.target_kernel.host_op_id,
                    it->record.target_kernel.granted_num_teams, it->record.target_kernel.requested_num_teams,
                    (unsigned long long)it->record.target_kernel.end_time);
        else if (it->type == ompt_callback_target)
            fprintf(stderr, "kind=%d endpoint=%d", it->record.target.kind, it->record.target.endpoint);
        fputc('\n', stderr);
    }
}

#endif
