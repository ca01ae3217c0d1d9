//! What runs when the process ends, before the destructors of the program and of its libraries.
//!
//! exit(3) runs what was registered last first. The destructors of all libraries are registered once
//! the program has been loaded, so that a function registered while it is loaded would come after
//! them. But exit begins with the thread-local destructors of the thread that calls it: one of those
//! registers the function anew, and then it comes first.

use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::ptr;

unsafe extern "C" {
    /// Registers a thread-local destructor of the calling thread (glibc, the ABI of C++).
    fn __cxa_thread_atexit_impl(
        destructor: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
        owner: *const c_void,
    ) -> c_int;
}

/// Has `function` called when the process exits. It may be called twice.
///
/// If a thread other than the caller ends the process, and the caller was loading the program, it is
/// called after the destructors of the libraries.
pub(crate) fn register(function: extern "C" fn()) {
    // SAFETY: functions of ours, in a library that is never unloaded; the argument is the function.
    // Either fails without memory only.
    unsafe {
        libc::atexit(function);
        __cxa_thread_atexit_impl(
            register_again,
            function as *mut c_void,
            ptr::from_ref(&OWNER).cast::<c_void>(),
        );
    }
}

/// An address in the library.
static OWNER: u8 = 0;

unsafe extern "C" fn register_again(function: *mut c_void) {
    // SAFETY: `register` passes the function.
    unsafe { libc::atexit(transmute::<*mut c_void, extern "C" fn()>(function)) };
}
