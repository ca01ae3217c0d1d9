//! Entry points that register callbacks and end the tool (OpenMP 5.2 §19.6.1.3, §19.6.1.4,
//! §19.6.1.20).

use core::ffi::c_int;

use oxomp_sys::ompt::{ompt_callback_t, ompt_callbacks_t, ompt_set_result_t};

use super::super::callbacks;
use super::super::entry_point::store;
use super::super::phase::{accepts_callbacks, shut_down};

/// `ompt_set_callback`: may be called at any time while the tool is active, not only in its
/// initializer.
///
/// # Safety
/// `callback` has the type that belongs to `event`.
pub(super) unsafe extern "C" fn set_callback(
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t {
    if !accepts_callbacks() {
        return ompt_set_result_t::ERROR;
    }
    callbacks::set(event, callback)
}

/// `ompt_get_callback`: 1 and the callback, or 0.
///
/// # Safety
/// `callback` is null or writable.
pub(in super::super) unsafe extern "C" fn get_callback(
    event: ompt_callbacks_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let Some(registered) = callbacks::get(event) else { return 0 };
    // SAFETY: `callback` is null or writable (`# Safety`).
    unsafe { store(callback, Some(registered)) };
    1
}

/// `ompt_finalize_tool`: emits the last events that can be delivered, then calls the tool's
/// finalizer.
pub(super) unsafe extern "C" fn finalize_tool() {
    shut_down();
}
