//! A call from a function that keeps no frame pointer, as optimized code makes it.

use core::ffi::c_void;

/// The call that [`call_frameless`](crate::call_frameless) makes.
#[repr(C)]
#[derive(Debug)]
pub struct FramelessCall {
    /// The function that is called, of four integers or pointers.
    pub function: *const c_void,
    /// Its arguments.
    pub words: [usize; 4],
}
