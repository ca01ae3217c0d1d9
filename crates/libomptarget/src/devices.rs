//! Routines for devices (OpenMP 5.2 §18.7).

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use crate::{offload, start_for_tool};

/// `omp_invalid_device` of clang's programs.
const INVALID_DEVICE: c_int = -2;
/// The name of the host among all devices.
const HOST: &CStr = c"HOST";

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
            return HOST.as_ptr();
        }
        let device = offload().device(number);
        device.map_or(ptr::null(), |device| device.device.uid().as_ptr())
    }

    /// `int omp_get_device_from_uid(const char *uid)`
    ///
    /// # Safety
    /// `uid` is null or a string.
    pub (unsafe) fn omp_get_device_from_uid(uid: *const c_char) -> c_int {
        start_for_tool();
        if uid.is_null() {
            return INVALID_DEVICE;
        }
        // SAFETY: the caller's own promise (`# Safety`).
        let uid = unsafe { CStr::from_ptr(uid) };
        if uid == HOST {
            return offload().num_devices();
        }
        let devices = offload().devices();
        let device = devices.iter().find(|device| device.device.uid() == uid);
        device.map_or(INVALID_DEVICE, |device| device.number)
    }
}
