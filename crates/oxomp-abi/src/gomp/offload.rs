//! gcc's target constructs that may have a device (GOMP).

use core::ffi::{c_int, c_uint, c_void};

use oxomp_core::devices::{self, Device, gcc};
use oxomp_core::target::Offload;
use oxomp_core::{CallSite, process};
use oxomp_sys::connection::oxomp_gcc_image_t;

use super::device::device;
use super::mapping::Mapping;

/// The variables of a construct for the device that may execute it; `None` if the program has no
/// images for devices, or the construct has to be executed by the host. Ends the program if the
/// construct has no device and may not be executed by the host.
#[inline(always)]
pub(super) fn offload<'a>(
    number: c_int,
    construct: &str,
    mapping: impl FnOnce() -> (Mapping<'a>, &'a [usize]),
    site: CallSite,
) -> Option<Offload<'a>> {
    let existing = if gcc::offloads() { existing(number) } else { None };
    match existing {
        None => {
            devices::require(device(number), construct, site);
            None
        }
        Some(device) => {
            let (mapping, arguments) = mapping();
            Some(mapping.offload(device, arguments))
        }
    }
}

/// The number of the device, if there is such a device other than the host.
#[cold]
fn existing(number: c_int) -> Option<c_int> {
    let number = match device(number) {
        Device::Host => return None,
        Device::Default => devices::default_device(),
        Device::Number(number) => number,
    };
    (0..devices::num_devices()).contains(&number).then_some(number)
}

entry! {
    /// `void GOMP_offload_register_ver(unsigned version, const void *host_table, int target_type,
    /// const void *target_data)`
    ///
    /// # Safety
    /// A27: the image stays until it is unregistered.
    pub unsafe fn GOMP_offload_register_ver(
        version: c_uint,
        host_table: *const c_void,
        device_type: c_int,
        data: *const c_void,
    ) {
        let image = oxomp_gcc_image_t { version, device_type, host_table, data };
        // SAFETY: A27 of the arguments.
        unsafe { gcc::register(&image) };
        process::image_registered();
    }

    /// `void GOMP_offload_unregister_ver(unsigned version, const void *host_table,
    /// int target_type, const void *target_data)`
    pub fn GOMP_offload_unregister_ver(
        version: c_uint,
        host_table: *const c_void,
        device_type: c_int,
        data: *const c_void,
    ) {
        gcc::unregister(&oxomp_gcc_image_t { version, device_type, host_table, data });
    }

    /// `void GOMP_offload_register(const void *host_table, int target_type,
    /// const void *target_data)`: the form of gcc 5, whose images no plug-in of today loads.
    pub fn GOMP_offload_register | GOMP_offload_unregister(
        _host_table: *const c_void,
        _target_type: c_int,
        _target_data: *const c_void,
    ) {
    }
}
