//! The device numbers of gcc's calls.

use core::ffi::c_int;

use oxomp_core::devices::Device;
use oxomp_sys::gomp::gomp_device;

/// The device of a call's argument.
pub(super) fn device(number: c_int) -> Device {
    match number {
        gomp_device::DEFAULT => Device::Default,
        gomp_device::HOST => Device::Host,
        number => Device::Number(number),
    }
}
