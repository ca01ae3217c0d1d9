//! The functions of a device that a tool gets by name: those of OpenMP 5 and 6, and those of the
//! 2015 report.

use core::ffi::{CStr, c_char};

use oxomp_sys::ompt::ompt_interface_fn_t;

use crate::trace;

/// The look-up function that a tool gets with a device; `None` for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { string(name) }.and_then(trace::entry_point_5x)
}

/// The look-up function that a tool of the report gets with a device; `None` for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up_2015(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { string(name) }.and_then(trace::entry_point_2015)
}

/// # Safety
/// `name` is null, or a C string that lives as long as `'a`.
unsafe fn string<'a>(name: *const c_char) -> Option<&'a CStr> {
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
}
