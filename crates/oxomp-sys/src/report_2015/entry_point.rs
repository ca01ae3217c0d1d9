//! Signatures of the functions of both sides: a tool's start, and the runtime's entry points for
//! the host (§5, §7, App. A.5, A.7).
//!
//! The report prints the entry points as prototypes. Their types have the functions' names with
//! `_t`, as in the headers of the report's time.

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::{
    SetResult, ompt_atomic_type_t, ompt_bool, ompt_callback_t, ompt_event_t, ompt_frame_t,
    ompt_lock_type_t, ompt_parallel_id_t, ompt_state_t, ompt_target_device_t, ompt_task_id_t,
    ompt_task_type_t, ompt_thread_id_t, ompt_wait_id_t,
};

/// A function of any signature, as the look-up returns it.
pub type ompt_interface_fn_t = unsafe extern "C" fn();

/// The look-up of entry points by name; `None` for an unknown name.
pub type ompt_function_lookup_t =
    unsafe extern "C" fn(interface_function_name: *const c_char) -> Option<ompt_interface_fn_t>;

/// A tool's initializer; `ompt_version` is [`OMPT_VERSION`].
///
/// [`OMPT_VERSION`]: super::OMPT_VERSION
pub type ompt_initialize_fn_t = unsafe extern "C" fn(
    lookup: ompt_function_lookup_t,
    runtime_version: *const c_char,
    ompt_version: c_uint,
);

/// A tool's `ompt_tool` returns its initializer, or `None` if the tool does not want to run.
pub type ompt_tool_t = unsafe extern "C" fn() -> Option<ompt_initialize_fn_t>;

/// The program's `ompt_control` (§8).
pub type ompt_control_t = unsafe extern "C" fn(command: u64, modifier: u64);

/// `ompt_set_callback`: registers a callback for an event.
pub type ompt_set_callback_t =
    unsafe extern "C" fn(event: ompt_event_t, callback: Option<ompt_callback_t>) -> SetResult;

/// `ompt_get_callback`: 1 and the registered callback, or 0.
pub type ompt_get_callback_t =
    unsafe extern "C" fn(event: ompt_event_t, callback: *mut Option<ompt_callback_t>) -> c_int;

/// `ompt_enumerate_state`: 1 and the state after `current_state`, or 0 after the last.
pub type ompt_enumerate_state_t = unsafe extern "C" fn(
    current_state: ompt_state_t,
    next_state: *mut ompt_state_t,
    next_state_name: *mut *const c_char,
) -> c_int;

/// `ompt_enumerate_lock_type`, `ompt_enumerate_lock_types`: as [`ompt_enumerate_state_t`], for the
/// implementations of locks.
pub type ompt_enumerate_lock_type_t = unsafe extern "C" fn(
    current_type: ompt_lock_type_t,
    next_type: *mut ompt_lock_type_t,
    next_type_name: *mut *const c_char,
) -> c_int;

/// The type of [`ompt_enumerate_lock_type_t`], under the name that the report's prose has.
pub type ompt_enumerate_lock_types_t = ompt_enumerate_lock_type_t;

/// `ompt_enumerate_atomic_type`: as [`ompt_enumerate_state_t`], for the implementations of atomic
/// constructs in which a thread can wait.
pub type ompt_enumerate_atomic_type_t = unsafe extern "C" fn(
    current_type: ompt_atomic_type_t,
    next_type: *mut ompt_atomic_type_t,
    next_type_implementation: *mut *const c_char,
) -> c_int;

/// `ompt_get_thread_id`: the calling thread; 0 if OpenMP does not know it.
pub type ompt_get_thread_id_t = unsafe extern "C" fn() -> ompt_thread_id_t;

/// `ompt_get_state`: the calling thread's state, and the object for which it waits, or 0; the
/// pointer may be null.
pub type ompt_get_state_t = unsafe extern "C" fn(wait_id: *mut ompt_wait_id_t) -> ompt_state_t;

/// `ompt_get_parallel_id`: the region at a level, 0 for the innermost; 0 if there is none.
pub type ompt_get_parallel_id_t = unsafe extern "C" fn(ancestor_level: c_int) -> ompt_parallel_id_t;

/// `ompt_get_parallel_team_size`: the threads of the region at a level; -1 if there is none.
pub type ompt_get_parallel_team_size_t = unsafe extern "C" fn(ancestor_level: c_int) -> c_int;

/// `ompt_get_task_info`: 1 if there is a task at the level, else 0; each pointer may be null.
pub type ompt_get_task_info_t = unsafe extern "C" fn(
    ancestor_level: c_int,
    task_type: *mut ompt_task_type_t,
    task_id: *mut ompt_task_id_t,
    task_frame: *mut *mut ompt_frame_t,
    par_id: *mut ompt_parallel_id_t,
) -> ompt_bool;

/// `ompt_get_num_devices`: the number of devices.
pub type ompt_get_num_devices_t = unsafe extern "C" fn() -> c_int;

/// `ompt_target_get_device_id`: the device of the target construct; -1 outside of one.
pub type ompt_target_get_device_id_t = unsafe extern "C" fn() -> c_int;

/// `ompt_target_get_device_info`: 0 and the facts of a device, or another number if there is no
/// such device. `device_type` may be null.
///
/// `documentation` is an output by its description, but the report passes it by value.
pub type ompt_target_get_device_info_t = unsafe extern "C" fn(
    device_id: c_int,
    device_type: *mut *const c_char,
    device: *mut *mut ompt_target_device_t,
    lookup: *mut Option<ompt_function_lookup_t>,
    documentation: *const c_char,
) -> c_int;

/// The type of [`ompt_target_get_device_info_t`], under the name that the report's prose has.
pub type ompt_get_device_info_t = ompt_target_get_device_info_t;

/// `ompt_get_task_id`: the task at a level, or 0. Only drafts of the report have it.
pub type ompt_get_task_id_t = unsafe extern "C" fn(depth: c_int) -> ompt_task_id_t;

/// `ompt_get_task_frame`: the frames of the task at a level, or null. Only drafts of the report
/// have it.
pub type ompt_get_task_frame_t = unsafe extern "C" fn(depth: c_int) -> *mut ompt_frame_t;

/// `ompt_get_idle_frame`: the frame of a worker's idle loop; null on other threads. Only drafts of
/// the report have it.
pub type ompt_get_idle_frame_t = unsafe extern "C" fn() -> *mut c_void;
