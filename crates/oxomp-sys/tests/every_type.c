/* A tool with a callback for every event, of the type that the header gives it, and a variable for
 * every entry point, on the host and on devices. Valid as C and as C++. */
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>

static int callbacks;

/* In place of ompt_set_callback. */
static int set(ompt_callbacks_t event, ompt_callback_t callback) {
    return callback != 0 && event != 0;
}

/* A callback whose type is not the event's does not compile. */
#define SET(event, type, callback)                       \
    do {                                                 \
        type typed = callback;                           \
        callbacks += set(event, (ompt_callback_t)typed); \
    } while (0)

/* The functions of the table of callbacks, and set_all, which sets one for each event. */
#include "callbacks.h"

static void on_buffer_request(int device_num, ompt_buffer_t **buffer, size_t *bytes) {
    (void)device_num, (void)buffer, (void)bytes;
}

static void on_buffer_complete(int device_num, ompt_buffer_t *buffer, size_t bytes,
                               ompt_buffer_cursor_t begin, int buffer_owned) {
    (void)device_num, (void)buffer, (void)bytes, (void)begin, (void)buffer_owned;
}

#define LOOK_UP(name)                                 \
    do {                                              \
        name##_t function = (name##_t)lookup(#name);  \
        found += function != NULL;                    \
    } while (0)

/* The entry points of the host, by the look-up that the initializer gets, and of a device, by that
 * of device_initialize. */
static int entry_points(ompt_function_lookup_t lookup) {
    int found = 0;
    LOOK_UP(ompt_enumerate_states);
    LOOK_UP(ompt_enumerate_mutex_impls);
    LOOK_UP(ompt_set_callback);
    LOOK_UP(ompt_get_callback);
    LOOK_UP(ompt_get_thread_data);
    LOOK_UP(ompt_get_num_places);
    LOOK_UP(ompt_get_place_proc_ids);
    LOOK_UP(ompt_get_place_num);
    LOOK_UP(ompt_get_partition_place_nums);
    LOOK_UP(ompt_get_proc_id);
    LOOK_UP(ompt_get_state);
    LOOK_UP(ompt_get_parallel_info);
    LOOK_UP(ompt_get_task_info);
    LOOK_UP(ompt_get_task_memory);
    LOOK_UP(ompt_get_num_devices);
    LOOK_UP(ompt_get_num_procs);
    LOOK_UP(ompt_get_target_info);
    LOOK_UP(ompt_get_unique_id);
    LOOK_UP(ompt_finalize_tool);
    LOOK_UP(ompt_get_device_num_procs);
    LOOK_UP(ompt_get_device_time);
    LOOK_UP(ompt_translate_time);
    LOOK_UP(ompt_set_trace_ompt);
    LOOK_UP(ompt_set_trace_native);
    LOOK_UP(ompt_get_buffer_limits);
    LOOK_UP(ompt_start_trace);
    LOOK_UP(ompt_pause_trace);
    LOOK_UP(ompt_flush_trace);
    LOOK_UP(ompt_stop_trace);
    LOOK_UP(ompt_advance_buffer_cursor);
    LOOK_UP(ompt_get_record_type);
    LOOK_UP(ompt_get_record_ompt);
    LOOK_UP(ompt_get_record_native);
    LOOK_UP(ompt_get_record_abstract);
    return found;
}

static void nothing(void) {
}

static ompt_interface_fn_t look_up(const char *name) {
    return name[0] == 'o' ? nothing : 0;
}

/* A tool's walk over the records of a buffer. */
static uint64_t first_work(ompt_get_record_ompt_t get, ompt_buffer_t *buffer) {
    const ompt_record_ompt_t *record = get(buffer, 0);
    return record->type == ompt_callback_work ? record->record.work.count : 0;
}

static ompt_record_ompt_t *get_record(ompt_buffer_t *buffer, ompt_buffer_cursor_t cursor) {
    (void)cursor;
    return (ompt_record_ompt_t *)buffer;
}

static int initialize(ompt_function_lookup_t lookup, int initial_device_num,
                      ompt_data_t *tool_data) {
    (void)initial_device_num;
    *tool_data = ompt_data_none;
    return lookup != NULL;
}

static void finalize(ompt_data_t *tool_data) { tool_data->ptr = NULL; }

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return omp_version && runtime_version ? &result : NULL;
}

int main(void) {
    ompt_record_ompt_t record;
    ompt_callback_buffer_request_t request = on_buffer_request;
    ompt_callback_buffer_complete_t complete = on_buffer_complete;
    ompt_callback_master_t master = on_ompt_callback_masked_t;
    record.type = ompt_callback_work;
    record.record.work.count = 34;
    set_all();
    if (master == on_ompt_callback_masked_t && request && complete &&
        (uint64_t)entry_points(look_up) == first_work(get_record, &record))
        printf("%d callbacks\n", callbacks);
    return 0;
}
