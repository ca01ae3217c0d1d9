/* A tool of the 2015 report with a callback for every event, with the parameters that the report
 * prints, and a variable for every entry point, on the host and on devices. Valid as C and as
 * C++. */
#include <ompt.h>
#include <stdio.h>

static int callbacks;

/* In place of ompt_set_callback. */
static int set(ompt_event_t event, ompt_callback_t callback) {
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

static void on_target_buffer_request(int device_id, ompt_target_buffer_t **buffer, size_t *bytes) {
    (void)device_id, (void)buffer, (void)bytes;
}

static void on_target_buffer_complete(int device_id, const ompt_target_buffer_t *buffer,
                                      size_t bytes, ompt_target_buffer_cursor_t begin,
                                      ompt_target_buffer_cursor_t end) {
    (void)device_id, (void)buffer, (void)bytes, (void)begin, (void)end;
}

/* The entry points: each variable has the type that the report prints. */
static int (*ompt_set_callback_fn)(ompt_event_t event, ompt_callback_t callback);
static int (*ompt_get_callback_fn)(ompt_event_t event, ompt_callback_t *callback);
static int (*ompt_enumerate_state_fn)(ompt_state_t current_state, ompt_state_t *next_state,
                                      const char **next_state_name);
static int (*ompt_enumerate_lock_type_fn)(ompt_lock_type_t current_type,
                                          ompt_lock_type_t *next_type, const char **next_type_name);
static int (*ompt_enumerate_atomic_type_fn)(ompt_atomic_type_t current_type,
                                            ompt_atomic_type_t *next_type,
                                            const char **next_type_implementation);
static ompt_thread_id_t (*ompt_get_thread_id_fn)(void);
static ompt_state_t (*ompt_get_state_fn)(ompt_wait_id_t *wait_id);
static ompt_parallel_id_t (*ompt_get_parallel_id_fn)(int ancestor_level);
static int (*ompt_get_parallel_team_size_fn)(int ancestor_level);
static ompt_bool (*ompt_get_task_info_fn)(int ancestor_level, ompt_task_type_t *type,
                                          ompt_task_id_t *task_id, ompt_frame_t **task_frame,
                                          ompt_parallel_id_t *par_id);
static int (*ompt_get_num_devices_fn)(void);
static int (*ompt_target_get_device_id_fn)(void);
static int (*ompt_target_get_device_info_fn)(int device_id, const char **type,
                                             ompt_target_device_t **device,
                                             ompt_function_lookup_t *lookup,
                                             const char *documentation);
static ompt_task_id_t (*ompt_get_task_id_fn)(int depth);
static ompt_frame_t *(*ompt_get_task_frame_fn)(int depth);
static void *(*ompt_get_idle_frame_fn)(void);
static ompt_target_time_t (*ompt_target_get_time_fn)(ompt_target_device_t *device);
static double (*ompt_target_translate_time_fn)(ompt_target_device_t *device,
                                               ompt_target_time_t time);
static int (*ompt_target_set_trace_ompt_fn)(ompt_target_device_t *device, ompt_bool enable,
                                            uint32_t rtype);
static int (*ompt_target_set_trace_native_fn)(ompt_target_device_t *device, ompt_bool enable,
                                              uint32_t flags);
static int (*ompt_target_start_trace_fn)(ompt_target_device_t *device,
                                         ompt_target_buffer_request_callback_t request,
                                         ompt_target_buffer_complete_callback_t complete);
static int (*ompt_target_pause_trace_fn)(ompt_target_device_t *device, ompt_bool begin_pause);
static int (*ompt_target_stop_trace_fn)(ompt_target_device_t *device);
static int (*ompt_target_advance_buffer_cursor_fn)(ompt_target_buffer_t *buffer,
                                                   ompt_target_buffer_cursor_t current,
                                                   ompt_target_buffer_cursor_t *next);
static ompt_record_type_t (*ompt_target_buffer_get_record_type_fn)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
static ompt_record_ompt_t *(*ompt_target_buffer_get_record_ompt_fn)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
static ompt_record_correlation_t *(*ompt_target_buffer_get_record_correlation_fn)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
static void *(*ompt_target_buffer_get_record_native_fn)(ompt_target_buffer_t *buffer,
                                                        ompt_target_buffer_cursor_t current);
static ompt_record_native_abstract_t *(*ompt_target_buffer_get_record_native_abstract_fn)(
    void *native_record);
static int (*ompt_enumerate_lock_types_fn)(ompt_lock_type_t current_type,
                                           ompt_lock_type_t *next_type,
                                           const char **next_type_name);
static int (*ompt_get_device_info_fn)(int device_id, const char **type,
                                      ompt_target_device_t **device, ompt_function_lookup_t *lookup,
                                      const char *documentation);

static ompt_function_lookup_t look_up;

/* The two assignments compile only if the header gives the entry point this very type. */
#define LOOK_UP(name)                              \
    do {                                           \
        name##_t typed = (name##_t)look_up(#name); \
        name##_fn = typed;                         \
        typed = name##_fn;                         \
        found += typed != 0;                       \
    } while (0)

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned int ompt_version) {
    int found = 0;
    look_up = lookup;
    (void)runtime_version;
    set_all();
    LOOK_UP(ompt_set_callback);
    LOOK_UP(ompt_get_callback);
    LOOK_UP(ompt_enumerate_state);
    LOOK_UP(ompt_enumerate_lock_type);
    LOOK_UP(ompt_enumerate_atomic_type);
    LOOK_UP(ompt_get_thread_id);
    LOOK_UP(ompt_get_state);
    LOOK_UP(ompt_get_parallel_id);
    LOOK_UP(ompt_get_parallel_team_size);
    LOOK_UP(ompt_get_task_info);
    LOOK_UP(ompt_get_num_devices);
    LOOK_UP(ompt_target_get_device_id);
    LOOK_UP(ompt_target_get_device_info);
    LOOK_UP(ompt_get_task_id);
    LOOK_UP(ompt_get_task_frame);
    LOOK_UP(ompt_get_idle_frame);
    LOOK_UP(ompt_target_get_time);
    LOOK_UP(ompt_target_translate_time);
    LOOK_UP(ompt_target_set_trace_ompt);
    LOOK_UP(ompt_target_set_trace_native);
    LOOK_UP(ompt_target_start_trace);
    LOOK_UP(ompt_target_pause_trace);
    LOOK_UP(ompt_target_stop_trace);
    LOOK_UP(ompt_target_advance_buffer_cursor);
    LOOK_UP(ompt_target_buffer_get_record_type);
    LOOK_UP(ompt_target_buffer_get_record_ompt);
    LOOK_UP(ompt_target_buffer_get_record_correlation);
    LOOK_UP(ompt_target_buffer_get_record_native);
    LOOK_UP(ompt_target_buffer_get_record_native_abstract);
    LOOK_UP(ompt_enumerate_lock_types);
    LOOK_UP(ompt_get_device_info);
    printf("%d callbacks, %d entry points, version %u\n", callbacks, found, ompt_version);
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}

/* The runtime's part. */
static void nothing(void) {
}

static ompt_interface_fn_t runtime_look_up(const char *interface_function_name) {
    return interface_function_name[0] == 'o' ? nothing : 0;
}

void ompt_control(uint64_t command, uint64_t modifier) {
    (void)command, (void)modifier;
}

int main(void) {
    ompt_target_buffer_request_callback_t request = on_target_buffer_request;
    ompt_target_buffer_complete_callback_t complete = on_target_buffer_complete;
    (void)request, (void)complete;
    ompt_tool()(runtime_look_up, "none", 2);
    ompt_control(64, 0);
    return 0;
}
