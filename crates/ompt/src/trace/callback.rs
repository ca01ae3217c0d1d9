//! The functions by which a runtime asks for buffers of a trace and hands them over.
//!
//! Neither can unwind: `extern "C"` aborts instead.

use core::ffi::c_int;

use oxomp_sys::ompt::{ompt_buffer_cursor_t, ompt_buffer_t};

use super::Records;
use super::device::Device;
use super::functions::{BufferCallbacks, State};
use crate::Registered;

/// The functions of the tool with this type.
pub(crate) fn of<T: Registered>() -> BufferCallbacks {
    (request::<T>, complete::<T>)
}

/// The device with this number; of several, the one that began last.
fn device<T: Registered>(number: c_int) -> Option<Device> {
    let state = T::slot().gate().devices().iter().find(|state| state.number == number)?;
    Some(Device { state })
}

/// # Safety
/// Called by the runtime that has a trace of the device, with variables of its own.
unsafe extern "C" fn request<T: Registered>(
    number: c_int,
    buffer: *mut *mut ompt_buffer_t,
    bytes: *mut usize,
) {
    let device = device::<T>(number);
    // Before OpenMP 6.0, which has limits, the size is undefined on entry (6.0 §35.5).
    let minimum = match device.and_then(|device| device.state.functions.get_buffer_limits.function)
    {
        // SAFETY: a variable of the runtime's, which a runtime with limits has set.
        Some(_) => unsafe { bytes.read() },
        None => 0,
    };
    // SAFETY: as the caller promises.
    unsafe { State::lend(device.map(|device| device.state), minimum, buffer, bytes) };
}

/// # Safety
/// Called by the runtime that has a trace of the device, with a buffer of which it has completed
/// the records, or with one that is not the SDK's.
unsafe extern "C" fn complete<T: Registered>(
    number: c_int,
    buffer: *mut ompt_buffer_t,
    _bytes: usize,
    begin: ompt_buffer_cursor_t,
    buffer_owned: c_int,
) {
    let slot = T::slot();
    let Some(device) = device::<T>(number) else { return };
    let devices = slot.gate().devices();
    State::hand_over(devices, buffer.cast_const(), buffer_owned != 0, |handed| {
        if let Some(tool) = slot.tool() {
            // SAFETY: the records and their memory are valid until the callback returns.
            tool.trace_records(unsafe { Records::new(device, handed, begin, None) });
        }
    });
}
