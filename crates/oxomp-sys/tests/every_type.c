/* A tool with a callback for every event, of the type that the header gives it, and a variable for
 * every entry point, on the host and on devices. Valid as C and as C++. */
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>

static void on_thread_begin(ompt_thread_t thread_type, ompt_data_t *thread_data) {
    (void)thread_type, (void)thread_data;
}

static void on_thread_end(ompt_data_t *thread_data) {
    (void)thread_data;
}

static void on_parallel_begin(ompt_data_t *encountering_task_data, const ompt_frame_t
                              *encountering_task_frame, ompt_data_t *parallel_data, unsigned int
                              requested_parallelism, int flags, const void *codeptr_ra) {
    (void)encountering_task_data, (void)encountering_task_frame, (void)parallel_data,
    (void)requested_parallelism, (void)flags, (void)codeptr_ra;
}

static void on_parallel_end(ompt_data_t *parallel_data, ompt_data_t *encountering_task_data, int
                            flags, const void *codeptr_ra) {
    (void)parallel_data, (void)encountering_task_data, (void)flags, (void)codeptr_ra;
}

static void on_task_create(ompt_data_t *encountering_task_data, const ompt_frame_t
                           *encountering_task_frame, ompt_data_t *new_task_data, int flags, int
                           has_dependences, const void *codeptr_ra) {
    (void)encountering_task_data, (void)encountering_task_frame, (void)new_task_data, (void)flags,
    (void)has_dependences, (void)codeptr_ra;
}

static void on_task_schedule(ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
                             ompt_data_t *next_task_data) {
    (void)prior_task_data, (void)prior_task_status, (void)next_task_data;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                             ompt_data_t *task_data, unsigned int actual_parallelism, unsigned int
                             index, int flags) {
    (void)endpoint, (void)parallel_data, (void)task_data, (void)actual_parallelism, (void)index,
    (void)flags;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                      ompt_data_t *task_data, ompt_id_t target_id, const void *codeptr_ra) {
    (void)kind, (void)endpoint, (void)device_num, (void)task_data, (void)target_id,
    (void)codeptr_ra;
}

static void on_target_data_op(ompt_id_t target_id, ompt_id_t host_op_id, ompt_target_data_op_t
                              optype, void *src_addr, int src_device_num, void *dest_addr, int
                              dest_device_num, size_t bytes, const void *codeptr_ra) {
    (void)target_id, (void)host_op_id, (void)optype, (void)src_addr, (void)src_device_num,
    (void)dest_addr, (void)dest_device_num, (void)bytes, (void)codeptr_ra;
}

static void on_target_submit(ompt_id_t target_id, ompt_id_t host_op_id, unsigned int
                             requested_num_teams) {
    (void)target_id, (void)host_op_id, (void)requested_num_teams;
}

static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra) {
    (void)command, (void)modifier, (void)arg, (void)codeptr_ra;
    return 0;
}

static void on_device_initialize(int device_num, const char *type, ompt_device_t *device,
                                 ompt_function_lookup_t lookup, const char *documentation) {
    (void)device_num, (void)type, (void)device, (void)lookup, (void)documentation;
}

static void on_device_finalize(int device_num) {
    (void)device_num;
}

static void on_device_load(int device_num, const char *filename, int64_t offset_in_file, void
                           *vma_in_file, size_t bytes, void *host_addr, void *device_addr,
                           uint64_t module_id) {
    (void)device_num, (void)filename, (void)offset_in_file, (void)vma_in_file, (void)bytes,
    (void)host_addr, (void)device_addr, (void)module_id;
}

static void on_device_unload(int device_num, uint64_t module_id) {
    (void)device_num, (void)module_id;
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel_data, ompt_data_t *task_data, const void
                                *codeptr_ra) {
    (void)kind, (void)endpoint, (void)parallel_data, (void)task_data, (void)codeptr_ra;
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra) {
    (void)kind, (void)wait_id, (void)codeptr_ra;
}

static void on_dependences(ompt_data_t *task_data, const ompt_dependence_t *deps, int ndeps) {
    (void)task_data, (void)deps, (void)ndeps;
}

static void on_task_dependence(ompt_data_t *src_task_data, ompt_data_t *sink_task_data) {
    (void)src_task_data, (void)sink_task_data;
}

static void on_work(ompt_work_t work_type, ompt_scope_endpoint_t endpoint, ompt_data_t
                    *parallel_data, ompt_data_t *task_data, uint64_t count, const void *codeptr_ra) {
    (void)work_type, (void)endpoint, (void)parallel_data, (void)task_data, (void)count,
    (void)codeptr_ra;
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t
                      *task_data, const void *codeptr_ra) {
    (void)endpoint, (void)parallel_data, (void)task_data, (void)codeptr_ra;
}

static void on_target_map(ompt_id_t target_id, unsigned int nitems, void **host_addr, void
                          **device_addr, size_t *bytes, unsigned int *mapping_flags, const void
                          *codeptr_ra) {
    (void)target_id, (void)nitems, (void)host_addr, (void)device_addr, (void)bytes,
    (void)mapping_flags, (void)codeptr_ra;
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t
                           *parallel_data, ompt_data_t *task_data, const void *codeptr_ra) {
    (void)kind, (void)endpoint, (void)parallel_data, (void)task_data, (void)codeptr_ra;
}

static void on_lock_init(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t
                         wait_id, const void *codeptr_ra) {
    (void)kind, (void)hint, (void)impl, (void)wait_id, (void)codeptr_ra;
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra) {
    (void)kind, (void)wait_id, (void)codeptr_ra;
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
                             ompt_wait_id_t wait_id, const void *codeptr_ra) {
    (void)kind, (void)hint, (void)impl, (void)wait_id, (void)codeptr_ra;
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra) {
    (void)kind, (void)wait_id, (void)codeptr_ra;
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void
                         *codeptr_ra) {
    (void)endpoint, (void)wait_id, (void)codeptr_ra;
}

static void on_flush(ompt_data_t *thread_data, const void *codeptr_ra) {
    (void)thread_data, (void)codeptr_ra;
}

static void on_cancel(ompt_data_t *task_data, int flags, const void *codeptr_ra) {
    (void)task_data, (void)flags, (void)codeptr_ra;
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t
                         *parallel_data, ompt_data_t *task_data, const void *codeptr_ra) {
    (void)kind, (void)endpoint, (void)parallel_data, (void)task_data, (void)codeptr_ra;
}

static void on_dispatch(ompt_data_t *parallel_data, ompt_data_t *task_data, ompt_dispatch_t kind,
                        ompt_data_t instance) {
    (void)parallel_data, (void)task_data, (void)kind, (void)instance;
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                          ompt_data_t *task_data, ompt_data_t *target_task_data, ompt_data_t
                          *target_data, const void *codeptr_ra) {
    (void)kind, (void)endpoint, (void)device_num, (void)task_data, (void)target_task_data,
    (void)target_data, (void)codeptr_ra;
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data,
                                  ompt_data_t *target_data, ompt_id_t *host_op_id,
                                  ompt_target_data_op_t optype, void *src_addr, int
                                  src_device_num, void *dest_addr, int dest_device_num, size_t
                                  bytes, const void *codeptr_ra) {
    (void)endpoint, (void)target_task_data, (void)target_data, (void)host_op_id, (void)optype,
    (void)src_addr, (void)src_device_num, (void)dest_addr, (void)dest_device_num, (void)bytes,
    (void)codeptr_ra;
}

static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
                                 ompt_id_t *host_op_id, unsigned int requested_num_teams) {
    (void)endpoint, (void)target_data, (void)host_op_id, (void)requested_num_teams;
}

static void on_target_map_emi(ompt_data_t *target_data, unsigned int nitems, void **host_addr,
                              void **device_addr, size_t *bytes, unsigned int *mapping_flags,
                              const void *codeptr_ra) {
    (void)target_data, (void)nitems, (void)host_addr, (void)device_addr, (void)bytes,
    (void)mapping_flags, (void)codeptr_ra;
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void
                     *codeptr_ra) {
    (void)severity, (void)message, (void)length, (void)codeptr_ra;
}

static void on_buffer_request(int device_num, ompt_buffer_t **buffer, size_t *bytes) {
    (void)device_num, (void)buffer, (void)bytes;
}

static void on_buffer_complete(int device_num, ompt_buffer_t *buffer, size_t bytes,
                               ompt_buffer_cursor_t begin, int buffer_owned) {
    (void)device_num, (void)buffer, (void)bytes, (void)begin, (void)buffer_owned;
}

/* Each variable has the type of one event, and the function is accepted without a cast. */
static const ompt_callback_thread_begin_t thread_begin = on_thread_begin;
static const ompt_callback_thread_end_t thread_end = on_thread_end;
static const ompt_callback_parallel_begin_t parallel_begin = on_parallel_begin;
static const ompt_callback_parallel_end_t parallel_end = on_parallel_end;
static const ompt_callback_task_create_t task_create = on_task_create;
static const ompt_callback_task_schedule_t task_schedule = on_task_schedule;
static const ompt_callback_implicit_task_t implicit_task = on_implicit_task;
static const ompt_callback_target_t target = on_target;
static const ompt_callback_target_data_op_t target_data_op = on_target_data_op;
static const ompt_callback_target_submit_t target_submit = on_target_submit;
static const ompt_callback_control_tool_t control_tool = on_control_tool;
static const ompt_callback_device_initialize_t device_initialize = on_device_initialize;
static const ompt_callback_device_finalize_t device_finalize = on_device_finalize;
static const ompt_callback_device_load_t device_load = on_device_load;
static const ompt_callback_device_unload_t device_unload = on_device_unload;
static const ompt_callback_sync_region_t sync_region_wait = on_sync_region_wait;
static const ompt_callback_mutex_t mutex_released = on_mutex_released;
static const ompt_callback_dependences_t dependences = on_dependences;
static const ompt_callback_task_dependence_t task_dependence = on_task_dependence;
static const ompt_callback_work_t work = on_work;
static const ompt_callback_masked_t masked = on_masked;
static const ompt_callback_target_map_t target_map = on_target_map;
static const ompt_callback_sync_region_t sync_region = on_sync_region;
static const ompt_callback_mutex_acquire_t lock_init = on_lock_init;
static const ompt_callback_mutex_t lock_destroy = on_lock_destroy;
static const ompt_callback_mutex_acquire_t mutex_acquire = on_mutex_acquire;
static const ompt_callback_mutex_t mutex_acquired = on_mutex_acquired;
static const ompt_callback_nest_lock_t nest_lock = on_nest_lock;
static const ompt_callback_flush_t flush = on_flush;
static const ompt_callback_cancel_t cancel = on_cancel;
static const ompt_callback_sync_region_t reduction = on_reduction;
static const ompt_callback_dispatch_t dispatch = on_dispatch;
static const ompt_callback_target_emi_t target_emi = on_target_emi;
static const ompt_callback_target_data_op_emi_t target_data_op_emi = on_target_data_op_emi;
static const ompt_callback_target_submit_emi_t target_submit_emi = on_target_submit_emi;
static const ompt_callback_target_map_emi_t target_map_emi = on_target_map_emi;
static const ompt_callback_error_t error = on_error;
static const ompt_callback_master_t master = on_masked;

static int registered;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
    registered += event >= ompt_callback_thread_begin && event <= ompt_callback_error && callback;
    return ompt_set_always;
}

static void register_all(ompt_set_callback_t set) {
    set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
    set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
    set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
    set(ompt_callback_task_create, (ompt_callback_t)task_create);
    set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
    set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
    set(ompt_callback_target, (ompt_callback_t)target);
    set(ompt_callback_target_data_op, (ompt_callback_t)target_data_op);
    set(ompt_callback_target_submit, (ompt_callback_t)target_submit);
    set(ompt_callback_control_tool, (ompt_callback_t)control_tool);
    set(ompt_callback_device_initialize, (ompt_callback_t)device_initialize);
    set(ompt_callback_device_finalize, (ompt_callback_t)device_finalize);
    set(ompt_callback_device_load, (ompt_callback_t)device_load);
    set(ompt_callback_device_unload, (ompt_callback_t)device_unload);
    set(ompt_callback_sync_region_wait, (ompt_callback_t)sync_region_wait);
    set(ompt_callback_mutex_released, (ompt_callback_t)mutex_released);
    set(ompt_callback_dependences, (ompt_callback_t)dependences);
    set(ompt_callback_task_dependence, (ompt_callback_t)task_dependence);
    set(ompt_callback_work, (ompt_callback_t)work);
    set(ompt_callback_masked, (ompt_callback_t)masked);
    set(ompt_callback_target_map, (ompt_callback_t)target_map);
    set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
    set(ompt_callback_lock_init, (ompt_callback_t)lock_init);
    set(ompt_callback_lock_destroy, (ompt_callback_t)lock_destroy);
    set(ompt_callback_mutex_acquire, (ompt_callback_t)mutex_acquire);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)mutex_acquired);
    set(ompt_callback_nest_lock, (ompt_callback_t)nest_lock);
    set(ompt_callback_flush, (ompt_callback_t)flush);
    set(ompt_callback_cancel, (ompt_callback_t)cancel);
    set(ompt_callback_reduction, (ompt_callback_t)reduction);
    set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
    set(ompt_callback_target_emi, (ompt_callback_t)target_emi);
    set(ompt_callback_target_data_op_emi, (ompt_callback_t)target_data_op_emi);
    set(ompt_callback_target_submit_emi, (ompt_callback_t)target_submit_emi);
    set(ompt_callback_target_map_emi, (ompt_callback_t)target_map_emi);
    set(ompt_callback_error, (ompt_callback_t)error);
}

static ompt_interface_fn_t look_up(const char *name) {
    (void)name;
    return (ompt_interface_fn_t)set_callback;
}

/* The entry points of the host, by the look-up that the initializer gets, and of a device, by that of
 * device_initialize. */
static int entry_points(ompt_function_lookup_t lookup) {
    int found = 0;
    ompt_enumerate_states_t enumerate_states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    found += enumerate_states != NULL;
    ompt_enumerate_mutex_impls_t enumerate_mutex_impls = (ompt_enumerate_mutex_impls_t)lookup("ompt_enumerate_mutex_impls");
    found += enumerate_mutex_impls != NULL;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    found += set_callback != NULL;
    ompt_get_callback_t get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    found += get_callback != NULL;
    ompt_get_thread_data_t get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    found += get_thread_data != NULL;
    ompt_get_num_places_t get_num_places = (ompt_get_num_places_t)lookup("ompt_get_num_places");
    found += get_num_places != NULL;
    ompt_get_place_proc_ids_t get_place_proc_ids = (ompt_get_place_proc_ids_t)lookup("ompt_get_place_proc_ids");
    found += get_place_proc_ids != NULL;
    ompt_get_place_num_t get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
    found += get_place_num != NULL;
    ompt_get_partition_place_nums_t get_partition_place_nums = (ompt_get_partition_place_nums_t)lookup("ompt_get_partition_place_nums");
    found += get_partition_place_nums != NULL;
    ompt_get_proc_id_t get_proc_id = (ompt_get_proc_id_t)lookup("ompt_get_proc_id");
    found += get_proc_id != NULL;
    ompt_get_state_t get_state = (ompt_get_state_t)lookup("ompt_get_state");
    found += get_state != NULL;
    ompt_get_parallel_info_t get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    found += get_parallel_info != NULL;
    ompt_get_task_info_t get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    found += get_task_info != NULL;
    ompt_get_task_memory_t get_task_memory = (ompt_get_task_memory_t)lookup("ompt_get_task_memory");
    found += get_task_memory != NULL;
    ompt_get_num_devices_t get_num_devices = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
    found += get_num_devices != NULL;
    ompt_get_num_procs_t get_num_procs = (ompt_get_num_procs_t)lookup("ompt_get_num_procs");
    found += get_num_procs != NULL;
    ompt_get_target_info_t get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
    found += get_target_info != NULL;
    ompt_get_unique_id_t get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
    found += get_unique_id != NULL;
    ompt_finalize_tool_t finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    found += finalize_tool != NULL;
    ompt_get_device_num_procs_t get_device_num_procs = (ompt_get_device_num_procs_t)lookup("ompt_get_device_num_procs");
    found += get_device_num_procs != NULL;
    ompt_get_device_time_t get_device_time = (ompt_get_device_time_t)lookup("ompt_get_device_time");
    found += get_device_time != NULL;
    ompt_translate_time_t translate_time = (ompt_translate_time_t)lookup("ompt_translate_time");
    found += translate_time != NULL;
    ompt_set_trace_ompt_t set_trace_ompt = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
    found += set_trace_ompt != NULL;
    ompt_set_trace_native_t set_trace_native = (ompt_set_trace_native_t)lookup("ompt_set_trace_native");
    found += set_trace_native != NULL;
    ompt_get_buffer_limits_t get_buffer_limits = (ompt_get_buffer_limits_t)lookup("ompt_get_buffer_limits");
    found += get_buffer_limits != NULL;
    ompt_start_trace_t start_trace = (ompt_start_trace_t)lookup("ompt_start_trace");
    found += start_trace != NULL;
    ompt_pause_trace_t pause_trace = (ompt_pause_trace_t)lookup("ompt_pause_trace");
    found += pause_trace != NULL;
    ompt_flush_trace_t flush_trace = (ompt_flush_trace_t)lookup("ompt_flush_trace");
    found += flush_trace != NULL;
    ompt_stop_trace_t stop_trace = (ompt_stop_trace_t)lookup("ompt_stop_trace");
    found += stop_trace != NULL;
    ompt_advance_buffer_cursor_t advance_buffer_cursor = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    found += advance_buffer_cursor != NULL;
    ompt_get_record_type_t get_record_type = (ompt_get_record_type_t)lookup("ompt_get_record_type");
    found += get_record_type != NULL;
    ompt_get_record_ompt_t get_record_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
    found += get_record_ompt != NULL;
    ompt_get_record_native_t get_record_native = (ompt_get_record_native_t)lookup("ompt_get_record_native");
    found += get_record_native != NULL;
    ompt_get_record_abstract_t get_record_abstract = (ompt_get_record_abstract_t)lookup("ompt_get_record_abstract");
    found += get_record_abstract != NULL;
    return found;
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
    record.type = ompt_callback_work;
    record.record.work.count = 34;
    register_all(set_callback);
    if (master == masked && request && complete &&
        (uint64_t)entry_points(look_up) == first_work(get_record, &record))
        printf("%d callbacks\n", registered);
    return 0;
}
