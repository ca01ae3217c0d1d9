//! The interface of C, unchanged: for a tool that hands events on instead of handling them.
//!
//! [`Tool`](crate::Tool) shows events as Rust values, which have no room for addresses of words and
//! for unknown values. A tool that forwards each call with the arguments that the runtime passed,
//! such as oxomp's multiplexer, needs the signatures themselves: they are in [`c`], and
//! [`for_each_event`] has the table of all events with the signature of each. Such a tool exports
//! `ompt_start_tool` by itself; [`crate::ompt_tool`] is for implementations of `Tool`.

pub mod report_2015;

use core::ffi::CStr;
use core::mem::{size_of, transmute_copy};

/// The types, constants and signatures of `omp-tools.h`, by their names in C.
pub use oxomp_sys::ompt as c;

/// The table of all events, with number, name and signature of each, passed to a macro. Events with
/// the same callback follow each other, so the numbers are not in order.
pub use oxomp_sys::for_each_event;

/// The same table by callbacks, with the arguments of each.
#[doc(hidden)]
pub use oxomp_sys::for_each_callback;

/// The runtime's entry point `name` as a function of type `F`; `None` if the runtime lacks it.
///
/// ```
/// use ompt::raw::{c::ompt_get_unique_id_t, entry_point};
///
/// # unsafe extern "C" fn lookup(_: *const core::ffi::c_char) -> Option<unsafe extern "C" fn()> {
/// #     None
/// # }
/// // SAFETY: `lookup` is what `initialize` was called with, and the type is that entry point's.
/// let unique_id = unsafe { entry_point::<ompt_get_unique_id_t>(lookup, c"ompt_get_unique_id") };
/// # assert!(unique_id.is_none());
/// ```
///
/// # Safety
/// `lookup` is the look-up function of an OMPT runtime, and `F` is the type that OpenMP gives the
/// entry point of this name, a function pointer.
pub unsafe fn entry_point<F: Copy>(lookup: c::ompt_function_lookup_t, name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<c::ompt_interface_fn_t>()) };
    // SAFETY: the look-up reads a C string.
    let function = unsafe { lookup(name.as_ptr()) }?;
    // SAFETY: a function pointer of another signature has the same size, and `F` is the right one,
    // as the caller promises.
    Some(unsafe { transmute_copy::<c::ompt_interface_fn_t, F>(&function) })
}
