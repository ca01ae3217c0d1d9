//! What oxomp's libomptarget asks of this runtime beyond the interface of LLVM's
//! (`oxomp_sys::connection`).

use core::ffi::c_void;

use oxomp_core::{CallSite, Thread, target};
use oxomp_sys::connection::oxomp_kernel_fn;

entry! {
    /// `void oxomp_execute_kernel(void (*function)(void *), void *data, const void *code)`: the
    /// calling thread executes the target region whose kernel is at `code`, by `function(data)`.
    ///
    /// # Safety
    /// A8: the function takes the data.
    pub unsafe fn oxomp_execute_kernel(
        function: oxomp_kernel_fn,
        data: *mut c_void,
        code: *const c_void,
    ) {
        let function = function as *const c_void;
        // SAFETY: A8 of the arguments.
        unsafe { target::execute_kernel(Thread::current(), function, data, code, CallSite::here()) };
    }
}
