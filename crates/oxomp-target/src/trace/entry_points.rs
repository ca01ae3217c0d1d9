//! What the functions for tools of both generations share: their list by name, and the functions
//! that are the same.

use core::ffi::{c_int, c_void};

use super::clock;
use super::handle::tracer;

/// Lists functions by their names.
macro_rules! functions {
    ($find:ident: $($name:literal => $function:path: $type:ty;)*) => {
        /// The function of that name; `None` for an unknown name.
        pub(crate) fn $find(name: &CStr) -> Option<ompt_interface_fn_t> {
            $(
                if name == $name {
                    let function: $type = $function;
                    // SAFETY: both are function pointers; the tool knows the type by the name.
                    return Some(unsafe { transmute::<$type, ompt_interface_fn_t>(function) });
                }
            )*
            None
        }
    };
}

pub(super) use functions;

/// The time of the host's clock, in seconds, at the device's time `time`.
pub(super) unsafe extern "C" fn translate_time(device: *mut c_void, time: u64) -> f64 {
    tracer(device).map_or(0.0, |it| clock::translate(it.device(), time))
}

/// Ends the trace of the device, and hands its records over.
pub(super) unsafe extern "C" fn stop_trace(device: *mut c_void) -> c_int {
    tracer(device).is_some_and(|it| it.stop()).into()
}
