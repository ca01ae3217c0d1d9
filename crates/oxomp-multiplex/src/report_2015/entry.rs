//! The look-up that each client gets: the entry points that register callbacks are the client's
//! own, all others the runtime's.

use std::ffi::{CStr, c_char, c_int};
use std::mem::transmute;

use ompt::raw::report_2015::c::{
    SetResult, ompt_callback_t, ompt_event_t, ompt_function_lookup_t, ompt_get_callback_t,
    ompt_interface_fn_t, ompt_set_callback_t,
};

use super::{client, registration, session};
use crate::tools::{MAX_TOOLS, for_each_tool};

/// The look-up functions of the clients.
pub(super) static LOOK_UP: [ompt_function_lookup_t; MAX_TOOLS] = for_each_tool!(look_up);

/// A client's look-up. A client gets no entry point that the runtime lacks.
///
/// # Safety
/// `name` is null or a C string.
unsafe extern "C" fn look_up<const CLIENT: usize>(
    name: *const c_char,
) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the runtime's look-up, with a C string.
    let theirs = unsafe { (session::runtime()?.lookup)(name) }?;
    // SAFETY: `name` is a C string (`# Safety`).
    Some(match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"ompt_set_callback" => {
            let own: ompt_set_callback_t = set_callback::<CLIENT>;
            // SAFETY: the client converts the pointer back to the type of this name.
            unsafe { transmute::<ompt_set_callback_t, ompt_interface_fn_t>(own) }
        }
        b"ompt_get_callback" => {
            let own: ompt_get_callback_t = get_callback::<CLIENT>;
            // SAFETY: as above.
            unsafe { transmute::<ompt_get_callback_t, ompt_interface_fn_t>(own) }
        }
        _ => theirs,
    })
}

unsafe extern "C" fn set_callback<const CLIENT: usize>(
    event: ompt_event_t,
    callback: Option<ompt_callback_t>,
) -> SetResult {
    match session::runtime() {
        Some(runtime) => registration::set(CLIENT, event, callback, runtime.set_callback),
        None => SetResult::ERROR,
    }
}

/// # Safety
/// `callback` is null or writable.
unsafe extern "C" fn get_callback<const CLIENT: usize>(
    event: ompt_event_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let Some(registered) = client::get(CLIENT, event) else { return 0 };
    if !callback.is_null() {
        // SAFETY: writable (`# Safety`); the client registered the function.
        unsafe { callback.write(Some(transmute::<*mut (), ompt_callback_t>(registered))) };
    }
    1
}
