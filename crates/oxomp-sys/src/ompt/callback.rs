//! Signatures of the callbacks a tool registers (OpenMP 5.0 §4.5.2, 6.0 chapters 34 and 35).
//!
//! Pointers to data words are null only where an event's description says so; `codeptr_ra` is the
//! return address, in the program, of the call that implements the construct, or null.

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::{
    ompt_cancel_flag_t, ompt_data_t, ompt_dependence_t, ompt_device_t, ompt_dispatch_t,
    ompt_frame_t, ompt_function_lookup_t, ompt_id_t, ompt_mutex_t, ompt_parallel_flag_t,
    ompt_scope_endpoint_t, ompt_severity_t, ompt_sync_region_t, ompt_target_data_op_t,
    ompt_target_t, ompt_task_flag_t, ompt_task_status_t, ompt_thread_t, ompt_wait_id_t,
    ompt_work_t,
};

/// A callback of any signature, as `ompt_set_callback` takes it.
pub type ompt_callback_t = unsafe extern "C" fn();

/// A native thread begins to work for OpenMP.
pub type ompt_callback_thread_begin_t =
    unsafe extern "C" fn(thread_type: ompt_thread_t, thread_data: *mut ompt_data_t);

/// A thread ends.
pub type ompt_callback_thread_end_t = unsafe extern "C" fn(thread_data: *mut ompt_data_t);

/// A parallel or teams region begins; `requested_parallelism` is what the user asked for.
pub type ompt_callback_parallel_begin_t = unsafe extern "C" fn(
    encountering_task_data: *mut ompt_data_t,
    encountering_task_frame: *const ompt_frame_t,
    parallel_data: *mut ompt_data_t,
    requested_parallelism: c_uint,
    flags: ompt_parallel_flag_t,
    codeptr_ra: *const c_void,
);

/// A parallel or teams region ends.
pub type ompt_callback_parallel_end_t = unsafe extern "C" fn(
    parallel_data: *mut ompt_data_t,
    encountering_task_data: *mut ompt_data_t,
    flags: ompt_parallel_flag_t,
    codeptr_ra: *const c_void,
);

/// An implicit or initial task begins or ends; at the end `parallel_data` is null and
/// `actual_parallelism` 0.
pub type ompt_callback_implicit_task_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    actual_parallelism: c_uint,
    index: c_uint,
    flags: ompt_task_flag_t,
);

/// A worksharing, distribute or taskloop region begins or ends.
pub type ompt_callback_work_t = unsafe extern "C" fn(
    work_type: ompt_work_t,
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    count: u64,
    codeptr_ra: *const c_void,
);

/// A chunk, an iteration or a section is about to run.
pub type ompt_callback_dispatch_t = unsafe extern "C" fn(
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    kind: ompt_dispatch_t,
    instance: ompt_data_t,
);

/// A task is created.
pub type ompt_callback_task_create_t = unsafe extern "C" fn(
    encountering_task_data: *mut ompt_data_t,
    encountering_task_frame: *const ompt_frame_t,
    new_task_data: *mut ompt_data_t,
    flags: ompt_task_flag_t,
    has_dependences: c_int,
    codeptr_ra: *const c_void,
);

/// A task has these dependences; `deps` is valid during the call only.
pub type ompt_callback_dependences_t =
    unsafe extern "C" fn(task_data: *mut ompt_data_t, deps: *const ompt_dependence_t, ndeps: c_int);

/// An unfulfilled dependence between two tasks was seen.
pub type ompt_callback_task_dependence_t =
    unsafe extern "C" fn(src_task_data: *mut ompt_data_t, sink_task_data: *mut ompt_data_t);

/// A thread switches tasks; `next_task_data` is null if the event does not switch to another task.
pub type ompt_callback_task_schedule_t = unsafe extern "C" fn(
    prior_task_data: *mut ompt_data_t,
    prior_task_status: ompt_task_status_t,
    next_task_data: *mut ompt_data_t,
);

/// A masked region begins or ends.
pub type ompt_callback_masked_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    codeptr_ra: *const c_void,
);

/// A synchronization region, waiting in it, or a reduction begins or ends; `parallel_data` is null
/// at the end of a parallel region's barrier.
pub type ompt_callback_sync_region_t = unsafe extern "C" fn(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    codeptr_ra: *const c_void,
);

/// A lock is initialized, or a mutex is about to be acquired. `hint` is the user's, 0 if unknown.
pub type ompt_callback_mutex_acquire_t = unsafe extern "C" fn(
    kind: ompt_mutex_t,
    hint: c_uint,
    implementation: c_uint,
    wait_id: ompt_wait_id_t,
    codeptr_ra: *const c_void,
);

/// A lock is destroyed, or a mutex was acquired or released.
pub type ompt_callback_mutex_t =
    unsafe extern "C" fn(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void);

/// The owner of a nest lock acquired it once more, or released it but not for good.
pub type ompt_callback_nest_lock_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    wait_id: ompt_wait_id_t,
    codeptr_ra: *const c_void,
);

/// A flush construct was met.
pub type ompt_callback_flush_t =
    unsafe extern "C" fn(thread_data: *mut ompt_data_t, codeptr_ra: *const c_void);

/// Cancellation was activated or detected, or a task was discarded.
pub type ompt_callback_cancel_t = unsafe extern "C" fn(
    task_data: *mut ompt_data_t,
    flags: ompt_cancel_flag_t,
    codeptr_ra: *const c_void,
);

/// An error directive is executed (5.1); `length` is that of `message`.
pub type ompt_callback_error_t = unsafe extern "C" fn(
    severity: ompt_severity_t,
    message: *const c_char,
    length: usize,
    codeptr_ra: *const c_void,
);

/// The program called `omp_control_tool`, which returns this result.
pub type ompt_callback_control_tool_t = unsafe extern "C" fn(
    command: u64,
    modifier: u64,
    arg: *mut c_void,
    codeptr_ra: *const c_void,
) -> c_int;

/// A device is ready; `lookup` is null if it has no tracing interface.
pub type ompt_callback_device_initialize_t = unsafe extern "C" fn(
    device_num: c_int,
    device_type: *const c_char,
    device: *mut ompt_device_t,
    lookup: Option<ompt_function_lookup_t>,
    documentation: *const c_char,
);

/// A device is about to be finalized.
pub type ompt_callback_device_finalize_t = unsafe extern "C" fn(device_num: c_int);

/// Code was loaded on a device.
pub type ompt_callback_device_load_t = unsafe extern "C" fn(
    device_num: c_int,
    filename: *const c_char,
    offset_in_file: i64,
    vma_in_file: *mut c_void,
    bytes: usize,
    host_addr: *mut c_void,
    device_addr: *mut c_void,
    module_id: u64,
);

/// Code is about to be unloaded from a device.
pub type ompt_callback_device_unload_t = unsafe extern "C" fn(device_num: c_int, module_id: u64);

/// A target construct begins or ends; superseded by the next.
pub type ompt_callback_target_t = unsafe extern "C" fn(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task_data: *mut ompt_data_t,
    target_id: ompt_id_t,
    codeptr_ra: *const c_void,
);

/// A target construct begins or ends (5.1).
pub type ompt_callback_target_emi_t = unsafe extern "C" fn(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task_data: *mut ompt_data_t,
    target_task_data: *mut ompt_data_t,
    target_data: *mut ompt_data_t,
    codeptr_ra: *const c_void,
);

/// A data operation; superseded by the next.
pub type ompt_callback_target_data_op_t = unsafe extern "C" fn(
    target_id: ompt_id_t,
    host_op_id: ompt_id_t,
    optype: ompt_target_data_op_t,
    src_addr: *mut c_void,
    src_device_num: c_int,
    dest_addr: *mut c_void,
    dest_device_num: c_int,
    bytes: usize,
    codeptr_ra: *const c_void,
);

/// A data operation begins or ends (5.1); the tool may store an id in `host_op_id` at the begin.
pub type ompt_callback_target_data_op_emi_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    target_task_data: *mut ompt_data_t,
    target_data: *mut ompt_data_t,
    host_op_id: *mut ompt_id_t,
    optype: ompt_target_data_op_t,
    src_addr: *mut c_void,
    src_device_num: c_int,
    dest_addr: *mut c_void,
    dest_device_num: c_int,
    bytes: usize,
    codeptr_ra: *const c_void,
);

/// A kernel is submitted; superseded by the next.
pub type ompt_callback_target_submit_t =
    unsafe extern "C" fn(target_id: ompt_id_t, host_op_id: ompt_id_t, requested_num_teams: c_uint);

/// The submission of a kernel begins or ends (5.1).
pub type ompt_callback_target_submit_emi_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    target_data: *mut ompt_data_t,
    host_op_id: *mut ompt_id_t,
    requested_num_teams: c_uint,
);

/// Variables are mapped; superseded by the next.
pub type ompt_callback_target_map_t = unsafe extern "C" fn(
    target_id: ompt_id_t,
    nitems: c_uint,
    host_addr: *mut *mut c_void,
    device_addr: *mut *mut c_void,
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
);

/// Variables are mapped (5.1).
pub type ompt_callback_target_map_emi_t = unsafe extern "C" fn(
    target_data: *mut ompt_data_t,
    nitems: c_uint,
    host_addr: *mut *mut c_void,
    device_addr: *mut *mut c_void,
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
);
