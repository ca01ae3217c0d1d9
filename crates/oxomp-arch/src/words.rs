//! Where the calls of functions with any number of words return to.

use core::ffi::c_void;

unsafe extern "C" {
    /// The address in `call_words` to which the function returns.
    static oxomp_after_kernel: c_void;
}

/// The address to which the functions return that [`call_words`](crate::call_words) calls.
#[must_use]
pub fn words_return_to() -> *const c_void {
    &raw const oxomp_after_kernel
}
