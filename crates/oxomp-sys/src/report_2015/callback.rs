//! Signatures of the callbacks a tool registers (App. A.4).
//!
//! `codeptr_ra` is the return address, in the program, of the call that implements the construct;
//! `codeptr_ofn` is the address of the function that the compiler made of the construct's body.

use core::ffi::{c_int, c_void};

use super::{
    ompt_atomic_type_t, ompt_frame_t, ompt_invoker_t, ompt_lock_hint_t, ompt_lock_type_t,
    ompt_parallel_id_t, ompt_target_activity_id_t, ompt_target_map_entry_t,
    ompt_target_task_type_t, ompt_task_dependence_t, ompt_task_id_t, ompt_thread_id_t,
    ompt_thread_type_t, ompt_wait_id_t,
};

/// A callback of any signature, as `ompt_set_callback` takes it, and the signature of
/// `ompt_event_runtime_shutdown`.
pub type ompt_callback_t = unsafe extern "C" fn();

/// An event of the calling thread.
pub type ompt_thread_callback_t = unsafe extern "C" fn(thread_id: ompt_thread_id_t);

/// A thread begins or ends.
pub type ompt_thread_type_callback_t =
    unsafe extern "C" fn(thread_type: ompt_thread_type_t, thread_id: ompt_thread_id_t);

/// A thread waits for a mutex, acquires or releases it, or destroys a lock.
pub type ompt_wait_callback_t = unsafe extern "C" fn(wait_id: ompt_wait_id_t);

/// A thread waits for an atomic construct.
pub type ompt_atomic_callback_t =
    unsafe extern "C" fn(wait_id: ompt_wait_id_t, atomic_type: ompt_atomic_type_t);

/// A lock is initialized, or a thread waits for a critical construct.
pub type ompt_lock_callback_t = unsafe extern "C" fn(
    wait_id: ompt_wait_id_t,
    lock_hint: ompt_lock_hint_t,
    lock_type: ompt_lock_type_t,
);

/// A task reaches a master, barrier, taskwait or taskgroup construct.
pub type ompt_sync_callback_t = unsafe extern "C" fn(
    parallel_id: ompt_parallel_id_t,
    task_id: ompt_task_id_t,
    codeptr_ra: *const c_void,
);

/// A task begins a worksharing region.
pub type ompt_workshare_begin_callback_t = unsafe extern "C" fn(
    parallel_id: ompt_parallel_id_t,
    task_id: ompt_task_id_t,
    codeptr_ra: *const c_void,
);

/// An event of a task in a parallel region.
pub type ompt_parallel_callback_t =
    unsafe extern "C" fn(parallel_id: ompt_parallel_id_t, task_id: ompt_task_id_t);

/// A parallel region begins; the program asked for `requested_team_size` threads.
pub type ompt_parallel_begin_callback_t = unsafe extern "C" fn(
    parent_task_id: ompt_task_id_t,
    parent_frame: *const ompt_frame_t,
    parallel_id: ompt_parallel_id_t,
    requested_team_size: u32,
    codeptr_ofn: *const c_void,
    invoker: ompt_invoker_t,
);

/// A parallel region ends; `task_id` is the task that encountered the construct.
pub type ompt_parallel_end_callback_t = unsafe extern "C" fn(
    parallel_id: ompt_parallel_id_t,
    task_id: ompt_task_id_t,
    invoker: ompt_invoker_t,
);

/// An event of a task.
pub type ompt_task_callback_t = unsafe extern "C" fn(task_id: ompt_task_id_t);

/// A task construct creates a task.
pub type ompt_task_begin_callback_t = unsafe extern "C" fn(
    parent_task_id: ompt_task_id_t,
    parent_frame: *const ompt_frame_t,
    new_task_id: ompt_task_id_t,
    codeptr_ofn: *const c_void,
);

/// A target construct creates a target task.
pub type ompt_target_task_begin_callback_t = unsafe extern "C" fn(
    parent_task_id: ompt_task_id_t,
    parent_frame: *const ompt_frame_t,
    host_task_id: ompt_task_id_t,
    device_id: c_int,
    target_task_code: *const c_void,
    task_type: ompt_target_task_type_t,
);

/// A target task is complete, on the host and on the device.
pub type ompt_target_task_end_callback_t = unsafe extern "C" fn(host_task_id: ompt_task_id_t);

/// A task reaches a target data construct.
pub type ompt_target_data_begin_callback_t =
    unsafe extern "C" fn(task_id: ompt_task_id_t, device_id: c_int, codeptr_ra: *const c_void);

/// The runtime maps `nitems` items; `items` is valid during the call only.
pub type ompt_target_data_map_begin_callback_t = unsafe extern "C" fn(
    task_id: ompt_task_id_t,
    device_id: c_int,
    items: *const ompt_target_map_entry_t,
    nitems: u32,
    map_id: ompt_target_activity_id_t,
);

/// The runtime has begun all that a mapping demands.
pub type ompt_target_data_map_end_callback_t =
    unsafe extern "C" fn(device_id: c_int, map_id: ompt_target_activity_id_t);

/// A new task has these dependences; `deps` is valid during the call only.
pub type ompt_task_dependences_callback_t = unsafe extern "C" fn(
    task_id: ompt_task_id_t,
    deps: *const ompt_task_dependence_t,
    ndeps: c_int,
);

/// An event of two tasks: a switch from the first to the second, or a dependence of the second on
/// the first.
pub type ompt_task_pair_callback_t =
    unsafe extern "C" fn(first_task_id: ompt_task_id_t, second_task_id: ompt_task_id_t);

/// The program called `ompt_control`.
pub type ompt_control_callback_t = unsafe extern "C" fn(command: u64, modifier: u64);
