//! Signatures of the functions by which a tool traces a device (§5.7, §6, App. A.5).
//!
//! A tool gets these entry points by the look-up that `ompt_target_get_device_info` brings, for
//! that device; the look-up of its initializer does not find them.

use core::ffi::{c_int, c_void};

use super::{
    SetResult, ompt_bool, ompt_event_t, ompt_native_mon_flags_t, ompt_record_correlation_t,
    ompt_record_native_abstract_t, ompt_record_ompt_t, ompt_record_type_t,
    ompt_target_buffer_cursor_t, ompt_target_buffer_t, ompt_target_device_t, ompt_target_time_t,
};

/// The device needs a buffer: the tool stores its address and size, or the size 0 if it gives no
/// buffer.
///
/// This is the signature of §6.3; App. A.4 prints it without the device.
pub type ompt_target_buffer_request_callback_t = unsafe extern "C" fn(
    device_id: c_int,
    buffer: *mut *mut ompt_target_buffer_t,
    bytes: *mut usize,
);

/// The records of a buffer from `begin` to `end` are complete, and the buffer is the tool's again.
/// The runtime calls it on a thread that does not belong to OpenMP.
pub type ompt_target_buffer_complete_callback_t = unsafe extern "C" fn(
    device_id: c_int,
    buffer: *const ompt_target_buffer_t,
    bytes: usize,
    begin: ompt_target_buffer_cursor_t,
    end: ompt_target_buffer_cursor_t,
);

/// `ompt_target_get_time`: now, by the clock of the device.
pub type ompt_target_get_time_t =
    unsafe extern "C" fn(device: *mut ompt_target_device_t) -> ompt_target_time_t;

/// `ompt_target_translate_time`: the time of `omp_get_wtime` at a time of the device.
pub type ompt_target_translate_time_t =
    unsafe extern "C" fn(device: *mut ompt_target_device_t, time: ompt_target_time_t) -> f64;

/// `ompt_target_set_trace_ompt`: whether to record the event `rtype`, or all for 0.
///
/// App. A.5 gives `rtype` the type of a record's format; by §6.1 it is the number of an event.
pub type ompt_target_set_trace_ompt_t = unsafe extern "C" fn(
    device: *mut ompt_target_device_t,
    enable: ompt_bool,
    rtype: ompt_event_t,
) -> SetResult;

/// `ompt_target_set_trace_native`: whether to make the native records of `flags`.
pub type ompt_target_set_trace_native_t = unsafe extern "C" fn(
    device: *mut ompt_target_device_t,
    enable: ompt_bool,
    flags: ompt_native_mon_flags_t,
) -> SetResult;

/// `ompt_target_start_trace`: 1 if the trace was started, else 0.
pub type ompt_target_start_trace_t = unsafe extern "C" fn(
    device: *mut ompt_target_device_t,
    request: Option<ompt_target_buffer_request_callback_t>,
    complete: Option<ompt_target_buffer_complete_callback_t>,
) -> c_int;

/// `ompt_target_pause_trace`: pauses the trace, or resumes it for 0; 1 if that was done, else 0.
pub type ompt_target_pause_trace_t =
    unsafe extern "C" fn(device: *mut ompt_target_device_t, begin_pause: ompt_bool) -> c_int;

/// `ompt_target_stop_trace`: ends the trace and hands over all records; 1 if that was done, else 0.
pub type ompt_target_stop_trace_t =
    unsafe extern "C" fn(device: *mut ompt_target_device_t) -> c_int;

/// `ompt_target_advance_buffer_cursor`: 0 and the position after `current`, or 1 if no record lies
/// at `current`, or only the last one.
pub type ompt_target_advance_buffer_cursor_t = unsafe extern "C" fn(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
    next: *mut ompt_target_buffer_cursor_t,
) -> c_int;

/// `ompt_target_buffer_get_record_type`: the format of the record at `current`, invalid out of
/// bounds.
pub type ompt_target_buffer_get_record_type_t = unsafe extern "C" fn(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> ompt_record_type_t;

/// `ompt_target_buffer_get_record_ompt`: the record at `current`, until the next call.
pub type ompt_target_buffer_get_record_ompt_t = unsafe extern "C" fn(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut ompt_record_ompt_t;

/// `ompt_target_buffer_get_record_correlation`: the correlation at `current`.
pub type ompt_target_buffer_get_record_correlation_t =
    unsafe extern "C" fn(
        buffer: *mut ompt_target_buffer_t,
        current: ompt_target_buffer_cursor_t,
    ) -> *mut ompt_record_correlation_t;

/// `ompt_target_buffer_get_record_native`: the native record at `current`, until the next call.
pub type ompt_target_buffer_get_record_native_t = unsafe extern "C" fn(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut c_void;

/// `ompt_target_buffer_get_record_native_abstract`: the view of a native record that all devices
/// share.
pub type ompt_target_buffer_get_record_native_abstract_t =
    unsafe extern "C" fn(native_record: *mut c_void) -> *mut ompt_record_native_abstract_t;
