//! Functions that run when the process ends, before the destructors of the program and of its
//! libraries.
//!
//! exit(3) runs the functions in reverse order of their registration. The destructors of all
//! libraries are registered when the program has been loaded, so a function registered during
//! loading would run after them. But exit(3) begins with the thread-local destructors of the
//! calling thread: such a destructor registers the function again, so that it runs first.

use core::ffi::{CStr, c_int, c_void};
use core::mem::transmute;
use core::ptr;

/// Registers a thread-local destructor of the calling thread: a function, its argument, and an
/// address in the library that has the function (glibc, the ABI of C++).
type RegisterDestructor = unsafe extern "C" fn(
    destructor: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
    owner: *const c_void,
) -> c_int;

/// The name of glibc's [`RegisterDestructor`]. glibc has it since 2.18, and a library that asked
/// the loader for it would not be loaded by an earlier one.
const REGISTER_DESTRUCTOR: &CStr = c"__cxa_thread_atexit_impl";

/// Makes exit(3) call `function`, possibly twice.
///
/// If the caller was loading the program and another thread ends the process, or if glibc is older
/// than 2.18, `function` runs after the destructors of the libraries.
pub fn register(function: extern "C" fn()) {
    // SAFETY: the registered functions are in this library, which is never unloaded, and the
    // argument is the function to call. Either registration fails only if memory is exhausted. The
    // C library's function of that name has that type.
    unsafe {
        libc::atexit(function);
        let found = libc::dlsym(libc::RTLD_DEFAULT, REGISTER_DESTRUCTOR.as_ptr());
        if let Some(register) = transmute::<*mut c_void, Option<RegisterDestructor>>(found) {
            let owner = ptr::from_ref(&OWNER).cast::<c_void>();
            register(register_again, function as *mut c_void, owner);
        }
    }
}

/// Makes exit(3) call `function` after the functions that are registered from now on, and before
/// those that are registered already, the destructors of libraries among them.
pub fn register_in_order(function: extern "C" fn()) {
    // SAFETY: the function is in this library, which is never unloaded. The registration fails only
    // if memory is exhausted.
    unsafe { libc::atexit(function) };
}

/// An address in the library, by which glibc identifies it.
static OWNER: u8 = 0;

unsafe extern "C" fn register_again(function: *mut c_void) {
    // SAFETY: `register` passes a function of this type as the argument.
    unsafe { libc::atexit(transmute::<*mut c_void, extern "C" fn()>(function)) };
}
