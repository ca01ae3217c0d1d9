//! Entry points about target devices (the 2015 report §5.7).

use core::ffi::{c_char, c_int, c_void};

use oxomp_sys::report_2015::ompt_function_lookup_t;

use super::super::super::entry_points::target_device;
use crate::devices;

/// `ompt_get_num_devices`: the number of devices, without the host.
pub(super) unsafe extern "C" fn get_num_devices() -> c_int {
    devices::num_devices_if_known()
}

/// `ompt_target_get_device_id`: the number of the device that executes the calling thread's target
/// region: the host's, the first number after those of the devices. -1 outside of target regions.
pub(super) unsafe extern "C" fn get_device_id() -> c_int {
    target_device().unwrap_or(-1)
}

/// `ompt_target_get_device_info`: 1, an error, for every number: no device of the host runtime has
/// an interface for tools.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_device_info(
    _device_id: c_int,
    _device_type: *mut *const c_char,
    _device: *mut *mut c_void,
    _lookup: *mut Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) -> c_int {
    1
}
