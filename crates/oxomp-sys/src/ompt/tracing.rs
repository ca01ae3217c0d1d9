//! Signatures of the functions by which a tool traces a device (OpenMP 5.0 §4.6.2, §4.5.2.23; 6.0
//! chapters 35.5, 35.6 and 37).
//!
//! A tool gets the entry points by the look-up that `ompt_callback_device_initialize` brings, for
//! that device; the look-up of its initializer does not find them. So a runtime without a device to
//! trace has nothing to define: it never calls that callback. A runtime whose device cannot be
//! traced passes a null look-up. All entry points but `ompt_set_trace_ompt` and
//! `ompt_get_record_ompt` belong to every device that can be traced.

use core::ffi::{c_int, c_uint, c_void};

use super::{
    ompt_buffer_cursor_t, ompt_buffer_t, ompt_device_t, ompt_device_time_t, ompt_id_t,
    ompt_record_abstract_t, ompt_record_ompt_t, ompt_record_t, ompt_set_result_t,
};

/// The device needs a buffer: the tool stores its address and size, or the size 0 if it gives no
/// buffer.
pub type ompt_callback_buffer_request_t =
    unsafe extern "C" fn(device_num: c_int, buffer: *mut *mut ompt_buffer_t, bytes: *mut usize);

/// The records of a buffer from `begin` on are complete; if `buffer_owned` is 1, the buffer is the
/// tool's again. The runtime calls it on a thread that does not belong to OpenMP.
pub type ompt_callback_buffer_complete_t = unsafe extern "C" fn(
    device_num: c_int,
    buffer: *mut ompt_buffer_t,
    bytes: usize,
    begin: ompt_buffer_cursor_t,
    buffer_owned: c_int,
);

/// `ompt_get_device_num_procs`: the processors of the device.
pub type ompt_get_device_num_procs_t = unsafe extern "C" fn(device: *mut ompt_device_t) -> c_int;

/// `ompt_get_device_time`: now, by the clock of the device.
pub type ompt_get_device_time_t =
    unsafe extern "C" fn(device: *mut ompt_device_t) -> ompt_device_time_t;

/// `ompt_translate_time`: the time of `omp_get_wtime` at a time of the device.
pub type ompt_translate_time_t =
    unsafe extern "C" fn(device: *mut ompt_device_t, time: ompt_device_time_t) -> f64;

/// `ompt_set_trace_ompt`: whether to record the event with the number `etype`, or all for 0.
pub type ompt_set_trace_ompt_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    enable: c_uint,
    etype: c_uint,
) -> ompt_set_result_t;

/// `ompt_set_trace_native`: whether to make the native records of `flags`, bits of
/// `ompt_native_mon_flag_t`.
pub type ompt_set_trace_native_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    enable: c_int,
    flags: c_int,
) -> ompt_set_result_t;

/// `ompt_get_buffer_limits` (6.0): the most buffers that the device uses at once, and the size that
/// it recommends.
pub type ompt_get_buffer_limits_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    max_concurrent_allocs: *mut c_int,
    recommended_bytes: *mut usize,
);

/// `ompt_start_trace`: 1 if the trace was started, else 0.
pub type ompt_start_trace_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    request: Option<ompt_callback_buffer_request_t>,
    complete: Option<ompt_callback_buffer_complete_t>,
) -> c_int;

/// `ompt_pause_trace`: pauses the trace, or resumes it for 0; 1 if that was done, else 0.
pub type ompt_pause_trace_t =
    unsafe extern "C" fn(device: *mut ompt_device_t, begin_pause: c_int) -> c_int;

/// `ompt_flush_trace`: hands over all records collected before; 1 if that was done, else 0.
pub type ompt_flush_trace_t = unsafe extern "C" fn(device: *mut ompt_device_t) -> c_int;

/// `ompt_stop_trace`: ends the trace and hands over all records; 1 if that was done, else 0.
pub type ompt_stop_trace_t = unsafe extern "C" fn(device: *mut ompt_device_t) -> c_int;

/// `ompt_advance_buffer_cursor`: non-zero and the position after `current`, or 0 after the last.
pub type ompt_advance_buffer_cursor_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    buffer: *mut ompt_buffer_t,
    size: usize,
    current: ompt_buffer_cursor_t,
    next: *mut ompt_buffer_cursor_t,
) -> c_int;

/// `ompt_get_record_type`: the format of the record at `current`, invalid out of bounds.
pub type ompt_get_record_type_t = unsafe extern "C" fn(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> ompt_record_t;

/// `ompt_get_record_ompt`: the record at `current`, until the next call.
pub type ompt_get_record_ompt_t = unsafe extern "C" fn(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> *mut ompt_record_ompt_t;

/// `ompt_get_record_native`: the native record at `current`, until the next call, and the tool's id
/// of the operation that caused it.
pub type ompt_get_record_native_t = unsafe extern "C" fn(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
    host_op_id: *mut ompt_id_t,
) -> *mut c_void;

/// `ompt_get_record_abstract`: the view of a native record that all devices share.
pub type ompt_get_record_abstract_t =
    unsafe extern "C" fn(native_record: *mut c_void) -> *mut ompt_record_abstract_t;
