//! The look-up of the runtime's and a device's entry points (OpenMP 5.0 §4.6.1; 6.0 chapter 36).

use core::ffi::c_char;

/// A function of any signature, as the look-up returns it.
pub type ompt_interface_fn_t = unsafe extern "C" fn();

/// The look-up of entry points by name; `None` for an unknown name.
pub type ompt_function_lookup_t =
    unsafe extern "C" fn(interface_function_name: *const c_char) -> Option<ompt_interface_fn_t>;
