//! The functions of a device that a tool gets by name.

use core::ffi::{CStr, c_char};

use oxomp_sys::ompt::ompt_interface_fn_t;

use crate::trace;

/// The look-up function that a tool gets with a device; none for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    trace::entry_point_5x(unsafe { CStr::from_ptr(name) })
}
