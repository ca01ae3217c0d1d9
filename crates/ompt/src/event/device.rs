//! The callbacks with which devices begin and end.
//!
//! A tool that listens to the begin of devices gets handles of them, so the SDK listens to their
//! end whether the tool does or not: the handle must not be used any more.

use core::ffi::{c_char, c_int};

use oxomp_sys::ompt::{ompt_device_t, ompt_function_lookup_t};

use super::argument::string;
use super::target::{DeviceFinalize, DeviceInitialize};
use crate::trace::callback::of;
use crate::{Device, Event, Registered};

pub(super) unsafe extern "C" fn device_initialize<T: Registered>(
    device_num: c_int,
    device_type: *const c_char,
    device: *mut ompt_device_t,
    lookup: Option<ompt_function_lookup_t>,
    documentation: *const c_char,
) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the device with its look-up, and strings that are alive during the
    // call; the functions are those of the tool.
    let event = unsafe {
        DeviceInitialize {
            device_num,
            device_type: string(device_type),
            device: Device::begin(T::slot().gate(), device_num, device, lookup, of::<T>()),
            documentation: string(documentation),
        }
    };
    tool.device_initialize(&event);
}

pub(super) unsafe extern "C" fn device_finalize<T: Registered>(device_num: c_int) {
    let gate = T::slot().gate();
    if let Some(tool) = T::slot().tool()
        && (!gate.lifecycle().contains(Event::DEVICE_FINALIZE)
            || gate.is_listening(Event::DEVICE_FINALIZE))
    {
        tool.device_finalize(&DeviceFinalize { device_num });
    }
    // Also for a tool that has ended: one of its threads may still be in a call.
    Device::end(gate, device_num);
}
