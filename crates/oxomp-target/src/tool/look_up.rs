//! The functions of a device that a tool gets by name: those of OpenMP 5 and 6, and those of the
//! 2015 report.

use core::ffi::{CStr, c_char};

use oxomp_sys::ompt::ompt_interface_fn_t;

/// Functions, by their names.
type Functions = [(&'static CStr, ompt_interface_fn_t)];

/// Those of OpenMP 5 and 6.
const FUNCTIONS: &Functions = &[];
/// Those of the report.
const FUNCTIONS_2015: &Functions = &[];

/// The look-up function that a tool gets with a device; none for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { find(FUNCTIONS, name) }
}

/// The look-up function that a tool of the report gets with a device; none for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up_2015(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { find(FUNCTIONS_2015, name) }
}

/// # Safety
/// `name` is null or a C string.
unsafe fn find(functions: &Functions, name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    let name = unsafe { CStr::from_ptr(name) };
    functions.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}
