//! Unique identifiers of devices (OpenMP 6.0 §24.7): the host has the one that libomptarget gives
//! it.

use core::ffi::{CStr, c_char, c_int};
use core::ptr;

use oxomp_core::devices::{INVALID_DEVICE, INVALID_DEVICE_OF_LLVM, is_host, num_devices};
use oxomp_core::process;
use oxomp_sys::offload::UID_OF_HOST;

use super::libomptarget::forward;
use crate::argument::{List, Out, Text};

fn is_uid_of_host(uid: &[u8]) -> bool {
    uid.trim_ascii_end() == UID_OF_HOST.to_bytes()
}

/// The number of the host, if it has that identifier.
fn host_by_uid(uid: Text) -> Option<c_int> {
    uid.get().filter(|uid| is_uid_of_host(uid.to_bytes())).map(|_| num_devices())
}

/// Stores a string as gfortran's functions return one: its address and its length.
pub(super) fn return_string(
    text: *const c_char,
    address: &Out<*const c_char>,
    length: &Out<usize>,
) {
    address.set(text);
    // SAFETY: null, or a string of the runtime.
    let count = if text.is_null() { 0 } else { unsafe { CStr::from_ptr(text) }.count_bytes() };
    length.set(count);
}

entry! {
    /// `const char *omp_get_uid_from_device(int device_num)`: null for a device that does not
    /// exist.
    pub fn omp_get_uid_from_device(device_num: c_int) -> *const c_char {
        forward!(c"omp_get_uid_from_device"(device_num: c_int) -> *const c_char);
        if is_host(device_num) { UID_OF_HOST.as_ptr() } else { ptr::null() }
    }

    /// `omp_get_uid_from_device` under LLVM's Fortran name, whose argument is a value.
    pub fn omp_get_uid_from_device_@["VERSION"](device_num: c_int) -> *const c_char {
        omp_get_uid_from_device(device_num)
    }

    /// `omp_get_uid_from_device` called from gfortran's code.
    pub fn omp_get_uid_from_device_of_gfortran = omp_get_uid_from_device_@["GOMP_6.0"](
        address: Out<*const c_char>,
        length: Out<usize>,
        device_num: c_int,
    ) {
        return_string(omp_get_uid_from_device(device_num), &address, &length);
    }

    /// `omp_get_uid_from_device` called from gfortran's code, with an 8-byte integer.
    pub fn omp_get_uid_from_device_8_(
        address: Out<*const c_char>,
        length: Out<usize>,
        device_num: i64,
    ) {
        let device_num = c_int::try_from(device_num).unwrap_or(INVALID_DEVICE);
        return_string(omp_get_uid_from_device(device_num), &address, &length);
    }

    /// `int omp_get_device_from_uid(const char *uid)`: `omp_invalid_device` if no device has that
    /// identifier.
    pub fn omp_get_device_from_uid@["VERSION", "OMP_6.0"](uid: Text) -> c_int {
        forward!(c"omp_get_device_from_uid"(uid: Text<'_>) -> c_int);
        host_by_uid(uid).unwrap_or(INVALID_DEVICE_OF_LLVM)
    }

    /// `omp_get_device_from_uid` for programs of gcc.
    pub fn omp_get_device_from_uid_of_gcc = omp_get_device_from_uid@["GOMP_6.0"](
        uid: Text,
    ) -> c_int {
        forward!(c"omp_get_device_from_uid"(uid: Text<'_>) -> c_int);
        host_by_uid(uid).unwrap_or(INVALID_DEVICE)
    }

    /// `omp_get_device_from_uid` under LLVM's Fortran name, whose argument is a string of C.
    pub fn omp_get_device_from_uid_@["VERSION"](uid: Text) -> c_int {
        omp_get_device_from_uid(uid)
    }

    /// `omp_get_device_from_uid` called from gfortran's code.
    ///
    /// # Safety
    /// A3: `length` is the length of the text.
    pub unsafe fn omp_get_device_from_uid_of_gfortran = omp_get_device_from_uid_@["GOMP_6.0"](
        uid: List<u8>,
        length: usize,
    ) -> c_int {
        process::start_for_tool();
        // SAFETY: A3 of the arguments.
        if is_uid_of_host(unsafe { uid.with(length) }) { num_devices() } else { INVALID_DEVICE }
    }
}
