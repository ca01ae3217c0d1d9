//! The functions by which a runtime asks for buffers of a trace and hands them over (§6.3).
//!
//! Neither can unwind: `extern "C"` aborts instead.

use core::ffi::c_int;

use oxomp_sys::report_2015::{ompt_target_buffer_cursor_t, ompt_target_buffer_t};

use super::device::Device;
use super::functions::{BufferCallbacks, State};
use super::records::Records;
use crate::report_2015::Registered;

/// The functions of the tool with this type.
pub(crate) const fn callbacks<T: Registered>() -> BufferCallbacks {
    (request::<T>, complete::<T>)
}

/// # Safety
/// Called by the runtime that has a trace of the device, with variables of its own.
unsafe extern "C" fn request<T: Registered>(
    number: c_int,
    buffer: *mut *mut ompt_target_buffer_t,
    bytes: *mut usize,
) {
    let device = Device::with_number(T::slot().gate(), number);
    // SAFETY: as the caller promises.
    unsafe { State::lend(device.map(|device| device.state), 0, buffer, bytes) };
}

/// # Safety
/// Called by the runtime that has a trace of the device, with a buffer of which it has completed
/// the records, or with one that is not the SDK's.
unsafe extern "C" fn complete<T: Registered>(
    number: c_int,
    buffer: *const ompt_target_buffer_t,
    _bytes: usize,
    begin: ompt_target_buffer_cursor_t,
    end: ompt_target_buffer_cursor_t,
) {
    let slot = T::slot();
    let Some(device) = Device::with_number(slot.gate(), number) else { return };
    State::hand_over(slot.gate().devices(), buffer, true, |handed| {
        if let Some(tool) = slot.tool() {
            // SAFETY: the records and their memory are valid until the callback returns.
            tool.trace_records(unsafe { Records::new(device, handed, begin, Some(end)) });
        }
    });
}
