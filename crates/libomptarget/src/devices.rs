//! Routines for devices (OpenMP 5.2 §18.7).

use core::ffi::{c_char, c_int, c_void};
use core::ptr;

use oxomp_argument::Text;
use oxomp_sys::offload::UID_OF_HOST;

use crate::{offload, start_for_tool};

/// `omp_invalid_device` of clang's programs.
const INVALID_DEVICE: c_int = -2;

export! {
    /// `int omp_get_num_devices(void)`
    pub fn omp_get_num_devices() -> c_int {
        start_for_tool();
        offload().num_devices()
    }

    /// `int omp_get_initial_device(void)`
    pub fn omp_get_initial_device() -> c_int {
        start_for_tool();
        offload().num_devices()
    }

    /// `int omp_get_device_num(void)`: called on the host.
    pub fn omp_get_device_num() -> c_int {
        start_for_tool();
        offload().num_devices()
    }

    /// `int oxomp_device_of_code(const void *code)`: the device whose program has the code, or -1.
    /// The host runtime of oxomp asks for the caller of its `omp_get_device_num`, which code of
    /// images for the host calls too.
    pub fn oxomp_device_of_code(code: *const c_void) -> c_int {
        let devices = offload().devices();
        devices.iter().find(|device| device.executes(code)).map_or(-1, |device| device.number)
    }

    /// `const char *omp_get_uid_from_device(int device_num)`
    pub fn omp_get_uid_from_device(number: c_int) -> *const c_char {
        start_for_tool();
        if offload().is_host(number) {
            return UID_OF_HOST.as_ptr();
        }
        let device = offload().device(number);
        device.map_or(ptr::null(), |device| device.device.uid().as_ptr())
    }

    /// `int omp_get_device_from_uid(const char *uid)`
    pub fn omp_get_device_from_uid(uid: Text) -> c_int {
        start_for_tool();
        let Some(uid) = uid.get() else { return INVALID_DEVICE };
        if uid == UID_OF_HOST {
            return offload().num_devices();
        }
        let devices = offload().devices();
        let device = devices.iter().find(|device| device.device.uid() == uid);
        device.map_or(INVALID_DEVICE, |device| device.number)
    }
}
