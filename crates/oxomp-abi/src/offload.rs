//! What oxomp's libomptarget asks of this runtime beyond the interface of LLVM's
//! (`oxomp_sys::connection`).

use oxomp_core::{Thread, target};
use oxomp_sys::connection::oxomp_kernel_t;

entry! {
    /// `void oxomp_execute_kernel(const oxomp_kernel_t *kernel)`: the calling thread executes a
    /// target region.
    ///
    /// # Safety
    /// A22: a kernel, whose function takes its data.
    pub unsafe fn oxomp_execute_kernel(kernel: *const oxomp_kernel_t) {
        // SAFETY: A22 of the argument.
        unsafe { target::execute_kernel(Thread::current(), &*kernel) };
    }
}
