//! Signatures of the runtime's entry points (OpenMP 5.0 §4.6.1; 6.0 chapter 36).

use core::ffi::{c_char, c_int, c_void};

use super::{
    ompt_callback_t, ompt_callbacks_t, ompt_data_t, ompt_frame_t, ompt_id_t, ompt_set_result_t,
    ompt_state_t, ompt_task_flag_t, ompt_wait_id_t,
};

/// `ompt_enumerate_states`: 1 and the state after `current_state`, or 0 after the last.
pub type ompt_enumerate_states_t = unsafe extern "C" fn(
    current_state: ompt_state_t,
    next_state: *mut ompt_state_t,
    next_state_name: *mut *const c_char,
) -> c_int;

/// `ompt_enumerate_mutex_impls`: as [`ompt_enumerate_states_t`], for mutex implementations.
pub type ompt_enumerate_mutex_impls_t = unsafe extern "C" fn(
    current_impl: c_int,
    next_impl: *mut c_int,
    next_impl_name: *mut *const c_char,
) -> c_int;

/// `ompt_set_callback`: registers a callback for an event; `None` unregisters it.
pub type ompt_set_callback_t = unsafe extern "C" fn(
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t;

/// `ompt_get_callback`: 1 and the registered callback, or 0.
pub type ompt_get_callback_t =
    unsafe extern "C" fn(event: ompt_callbacks_t, callback: *mut Option<ompt_callback_t>) -> c_int;

/// `ompt_get_thread_data`: the calling thread's word; null if OpenMP does not know the thread.
pub type ompt_get_thread_data_t = unsafe extern "C" fn() -> *mut ompt_data_t;

/// `ompt_get_num_procs`: processors of the host now.
pub type ompt_get_num_procs_t = unsafe extern "C" fn() -> c_int;

/// `ompt_get_num_places`: places of the initial task's partition.
pub type ompt_get_num_places_t = unsafe extern "C" fn() -> c_int;

/// `ompt_get_place_proc_ids`: how many processors the place has; the ids if they fit.
pub type ompt_get_place_proc_ids_t =
    unsafe extern "C" fn(place_num: c_int, ids_size: c_int, ids: *mut c_int) -> c_int;

/// `ompt_get_place_num`: the calling thread's place, -1 if it is not bound.
pub type ompt_get_place_num_t = unsafe extern "C" fn() -> c_int;

/// `ompt_get_partition_place_nums`: how many places the implicit task's partition has; their
/// numbers if they fit.
pub type ompt_get_partition_place_nums_t =
    unsafe extern "C" fn(place_nums_size: c_int, place_nums: *mut c_int) -> c_int;

/// `ompt_get_proc_id`: the processor the thread runs on, negative if not known.
pub type ompt_get_proc_id_t = unsafe extern "C" fn() -> c_int;

/// `ompt_get_state`: the calling thread's state as a number; the wait id in mutex wait states.
pub type ompt_get_state_t = unsafe extern "C" fn(wait_id: *mut ompt_wait_id_t) -> ompt_state_t;

/// `ompt_get_parallel_info`: 2 if available, 1 if not available now, 0 if there is no such region;
/// each pointer may be null.
pub type ompt_get_parallel_info_t = unsafe extern "C" fn(
    ancestor_level: c_int,
    parallel_data: *mut *mut ompt_data_t,
    team_size: *mut c_int,
) -> c_int;

/// `ompt_get_task_info`: 2 if available, 1 if not available now, 0 if there is no such task; each
/// pointer may be null.
pub type ompt_get_task_info_t = unsafe extern "C" fn(
    ancestor_level: c_int,
    flags: *mut ompt_task_flag_t,
    task_data: *mut *mut ompt_data_t,
    task_frame: *mut *mut ompt_frame_t,
    parallel_data: *mut *mut ompt_data_t,
    thread_num: *mut c_int,
) -> c_int;

/// `ompt_get_task_memory`: a range of the current task's data environment; 1 if there are more.
pub type ompt_get_task_memory_t =
    unsafe extern "C" fn(addr: *mut *mut c_void, size: *mut usize, block: c_int) -> c_int;

/// `ompt_get_target_info`: 1 in a target region, with what it is; else 0.
pub type ompt_get_target_info_t = unsafe extern "C" fn(
    device_num: *mut u64,
    target_id: *mut ompt_id_t,
    host_op_id: *mut ompt_id_t,
) -> c_int;

/// `ompt_get_num_devices`: how many devices.
pub type ompt_get_num_devices_t = unsafe extern "C" fn() -> c_int;

/// `ompt_get_unique_id`: a number unique in this run.
pub type ompt_get_unique_id_t = unsafe extern "C" fn() -> u64;

/// `ompt_finalize_tool`: ends the tool; no callback afterwards.
pub type ompt_finalize_tool_t = unsafe extern "C" fn();
