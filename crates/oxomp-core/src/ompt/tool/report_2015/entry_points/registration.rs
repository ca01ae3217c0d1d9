//! Entry points that register callbacks (the 2015 report §7.2).

use core::ffi::c_int;

use oxomp_sys::report_2015::{SetResult, ompt_callback_t, ompt_event_t};

use super::super::super::entry_point::store;
use super::super::callbacks;

/// `ompt_set_callback`: 0, an error, outside of the tool's initializer, and for a number that no
/// event has.
///
/// # Safety
/// `callback` has the type that belongs to `event`.
pub(super) unsafe extern "C" fn set_callback(
    event: ompt_event_t,
    callback: Option<ompt_callback_t>,
) -> SetResult {
    callbacks::set(event, callback)
}

/// `ompt_get_callback`: 1 and the callback, or 0.
///
/// # Safety
/// `callback` is null or writable.
pub(in super::super::super) unsafe extern "C" fn get_callback(
    event: ompt_event_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let Some(registered) = callbacks::get(event) else { return 0 };
    // SAFETY: `callback` is null or writable (`# Safety`).
    unsafe { store(callback, Some(registered)) };
    1
}
