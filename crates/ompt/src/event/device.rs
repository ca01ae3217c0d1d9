//! The callbacks with which devices begin and end.
//!
//! A tool that listens to the begin of devices gets handles of them, so the SDK listens to their
//! end whether the tool does or not: the handle must not be used any more.

use super::argument::string;
use super::arguments;
use super::target::{DeviceFinalize, DeviceInitialize};
use crate::trace::callback::of;
use crate::{Device, Event, Registered};

#[inline]
pub(super) unsafe fn device_initialize<T: Registered>(
    c: arguments::ompt_callback_device_initialize_t,
) {
    let Some(tool) = T::slot().tool() else { return };
    let gate = T::slot().gate();
    // SAFETY: the runtime passes the device with its look-up, and strings that are alive during the
    // call; the functions are those of the tool.
    let event = unsafe {
        DeviceInitialize {
            device_num: c.device_num,
            device_type: string(c.device_type),
            device: Device::begin(gate, c.device_num, c.device, c.lookup, of::<T>()),
            documentation: string(c.documentation),
        }
    };
    tool.device_initialize(&event);
}

#[inline]
pub(super) unsafe fn device_finalize<T: Registered>(c: arguments::ompt_callback_device_finalize_t) {
    let device_num = c.device_num;
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
