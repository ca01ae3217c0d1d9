/* A tool of the 2015 report with a callback for every event, with the parameters that the report
 * prints, and a variable for every entry point, on the host and on devices. Valid as C and as
 * C++. */
#include <ompt.h>
#include <stdio.h>

static int callbacks;

static void on_parallel_begin(ompt_task_id_t parent_task_id, const ompt_frame_t *parent_frame,
                              ompt_parallel_id_t parallel_id, uint32_t requested_team_size,
                              const void *codeptr_ofn, ompt_invoker_t invoker) {
    (void)parent_task_id, (void)parent_frame, (void)parallel_id, (void)requested_team_size,
    (void)codeptr_ofn, (void)invoker;
}

static void on_parallel_end(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                            ompt_invoker_t invoker) {
    (void)parallel_id, (void)task_id, (void)invoker;
}

static void on_task_begin(ompt_task_id_t parent_task_id, const ompt_frame_t *parent_frame,
                          ompt_task_id_t new_task_id, const void *codeptr_ofn) {
    (void)parent_task_id, (void)parent_frame, (void)new_task_id, (void)codeptr_ofn;
}

static void on_task(ompt_task_id_t task_id) {
    (void)task_id;
}

static void on_thread_type(ompt_thread_type_t thread_type, ompt_thread_id_t thread_id) {
    (void)thread_type, (void)thread_id;
}

static void on_control(uint64_t command, uint64_t modifier) {
    (void)command, (void)modifier;
}

static void on_shutdown(void) {
}

static void on_thread(ompt_thread_id_t thread_id) {
    (void)thread_id;
}

static void on_parallel(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    (void)parallel_id, (void)task_id;
}

static void on_wait(ompt_wait_id_t wait_id) {
    (void)wait_id;
}

static void on_task_pair(ompt_task_id_t first_task_id, ompt_task_id_t second_task_id) {
    (void)first_task_id, (void)second_task_id;
}

static void on_workshare_begin(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                               const void *codeptr_ra) {
    (void)parallel_id, (void)task_id, (void)codeptr_ra;
}

static void on_sync(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                    const void *codeptr_ra) {
    (void)parallel_id, (void)task_id, (void)codeptr_ra;
}

static void on_lock(ompt_wait_id_t wait_id, ompt_lock_hint_t lock_hint,
                    ompt_lock_type_t lock_type) {
    (void)wait_id, (void)lock_hint, (void)lock_type;
}

static void on_atomic(ompt_wait_id_t wait_id, uint32_t atomic_type) {
    (void)wait_id, (void)atomic_type;
}

static void on_target_task_begin(ompt_task_id_t parent_task_id, const ompt_frame_t *parent_frame,
                                 ompt_task_id_t host_task_id, int device_id,
                                 const void *target_task_code, ompt_target_task_type_t task_type) {
    (void)parent_task_id, (void)parent_frame, (void)host_task_id, (void)device_id,
    (void)target_task_code, (void)task_type;
}

static void on_target_task_end(ompt_task_id_t host_task_id) {
    (void)host_task_id;
}

static void on_target_data_begin(ompt_task_id_t task_id, int device_id, const void *codeptr_ra) {
    (void)task_id, (void)device_id, (void)codeptr_ra;
}

static void on_target_data_map_begin(ompt_task_id_t task_id, int device_id,
                                     const ompt_target_map_entry_t *items, uint32_t nitems,
                                     ompt_target_activity_id_t map_id) {
    (void)task_id, (void)device_id, (void)items, (void)nitems, (void)map_id;
}

static void on_target_data_map_end(int device_id, ompt_target_activity_id_t map_id) {
    (void)device_id, (void)map_id;
}

static void on_task_dependences(ompt_task_id_t task_id, const ompt_task_dependence_t *deps,
                                int ndeps) {
    (void)task_id, (void)deps, (void)ndeps;
}

static void on_target_buffer_request(int device_id, ompt_target_buffer_t **buffer, size_t *bytes) {
    (void)device_id, (void)buffer, (void)bytes;
}

static void on_target_buffer_complete(int device_id, const ompt_target_buffer_t *buffer,
                                      size_t bytes, ompt_target_buffer_cursor_t begin,
                                      ompt_target_buffer_cursor_t end) {
    (void)device_id, (void)buffer, (void)bytes, (void)begin, (void)end;
}

/* A callback whose type is not the event's does not compile. */
#define SET(event, type, callback)                       \
    do {                                                 \
        type typed = callback;                           \
        callbacks += set(event, (ompt_callback_t)typed); \
    } while (0)

/* In place of ompt_set_callback. */
static int set(ompt_event_t event, ompt_callback_t callback) {
    return callback != 0 && event != 0;
}

static void set_all(void) {
    SET(ompt_event_parallel_begin, ompt_parallel_begin_callback_t, on_parallel_begin);
    SET(ompt_event_parallel_end, ompt_parallel_end_callback_t, on_parallel_end);
    SET(ompt_event_task_begin, ompt_task_begin_callback_t, on_task_begin);
    SET(ompt_event_task_end, ompt_task_callback_t, on_task);
    SET(ompt_event_thread_begin, ompt_thread_type_callback_t, on_thread_type);
    SET(ompt_event_thread_end, ompt_thread_type_callback_t, on_thread_type);
    SET(ompt_event_control, ompt_control_callback_t, on_control);
    SET(ompt_event_runtime_shutdown, ompt_callback_t, on_shutdown);
    SET(ompt_event_idle_begin, ompt_thread_callback_t, on_thread);
    SET(ompt_event_idle_end, ompt_thread_callback_t, on_thread);
    SET(ompt_event_wait_barrier_begin, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_wait_barrier_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_wait_taskwait_begin, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_wait_taskwait_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_wait_taskgroup_begin, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_wait_taskgroup_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_release_lock, ompt_wait_callback_t, on_wait);
    SET(ompt_event_release_nest_lock_last, ompt_wait_callback_t, on_wait);
    SET(ompt_event_release_critical, ompt_wait_callback_t, on_wait);
    SET(ompt_event_release_atomic, ompt_wait_callback_t, on_wait);
    SET(ompt_event_release_ordered, ompt_wait_callback_t, on_wait);
    SET(ompt_event_implicit_task_begin, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_implicit_task_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_initial_task_begin, ompt_task_callback_t, on_task);
    SET(ompt_event_initial_task_end, ompt_task_callback_t, on_task);
    SET(ompt_event_task_switch, ompt_task_pair_callback_t, on_task_pair);
    SET(ompt_event_loop_begin, ompt_workshare_begin_callback_t, on_workshare_begin);
    SET(ompt_event_loop_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_sections_begin, ompt_workshare_begin_callback_t, on_workshare_begin);
    SET(ompt_event_sections_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_single_in_block_begin, ompt_workshare_begin_callback_t, on_workshare_begin);
    SET(ompt_event_single_in_block_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_single_others_begin, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_single_others_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_workshare_begin, ompt_workshare_begin_callback_t, on_workshare_begin);
    SET(ompt_event_workshare_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_master_begin, ompt_sync_callback_t, on_sync);
    SET(ompt_event_master_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_barrier_begin, ompt_sync_callback_t, on_sync);
    SET(ompt_event_barrier_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_taskwait_begin, ompt_sync_callback_t, on_sync);
    SET(ompt_event_taskwait_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_taskgroup_begin, ompt_sync_callback_t, on_sync);
    SET(ompt_event_taskgroup_end, ompt_parallel_callback_t, on_parallel);
    SET(ompt_event_release_nest_lock_prev, ompt_wait_callback_t, on_wait);
    SET(ompt_event_wait_lock, ompt_wait_callback_t, on_wait);
    SET(ompt_event_wait_nest_lock, ompt_wait_callback_t, on_wait);
    SET(ompt_event_wait_critical, ompt_lock_callback_t, on_lock);
    SET(ompt_event_wait_atomic, ompt_atomic_callback_t, on_atomic);
    SET(ompt_event_wait_ordered, ompt_wait_callback_t, on_wait);
    SET(ompt_event_acquired_lock, ompt_wait_callback_t, on_wait);
    SET(ompt_event_acquired_nest_lock_first, ompt_wait_callback_t, on_wait);
    SET(ompt_event_acquired_nest_lock_next, ompt_wait_callback_t, on_wait);
    SET(ompt_event_acquired_critical, ompt_wait_callback_t, on_wait);
    SET(ompt_event_acquired_atomic, ompt_wait_callback_t, on_wait);
    SET(ompt_event_acquired_ordered, ompt_wait_callback_t, on_wait);
    SET(ompt_event_init_lock, ompt_lock_callback_t, on_lock);
    SET(ompt_event_init_nest_lock, ompt_lock_callback_t, on_lock);
    SET(ompt_event_destroy_lock, ompt_wait_callback_t, on_wait);
    SET(ompt_event_destroy_nest_lock, ompt_wait_callback_t, on_wait);
    SET(ompt_event_flush, ompt_thread_callback_t, on_thread);
    SET(ompt_event_target_task_begin, ompt_target_task_begin_callback_t, on_target_task_begin);
    SET(ompt_event_target_task_end, ompt_target_task_end_callback_t, on_target_task_end);
    SET(ompt_event_target_data_begin, ompt_target_data_begin_callback_t, on_target_data_begin);
    SET(ompt_event_target_data_end, ompt_task_callback_t, on_task);
    SET(ompt_event_target_data_map_begin, ompt_target_data_map_begin_callback_t,
        on_target_data_map_begin);
    SET(ompt_event_target_data_map_end, ompt_target_data_map_end_callback_t,
        on_target_data_map_end);
    SET(ompt_event_task_dependences, ompt_task_dependences_callback_t, on_task_dependences);
    SET(ompt_event_task_dependence_pair, ompt_task_pair_callback_t, on_task_pair);
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
