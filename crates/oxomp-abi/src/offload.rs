//! What oxomp's libomptarget asks of this runtime beyond the interface of LLVM's
//! (`oxomp_sys::connection`).

use oxomp_core::{Thread, process, target};
use oxomp_sys::connection::{self, oxomp_kernel_t};

data! {
    /// `const uint32_t oxomp_interface_version`: the version of the interface in this runtime.
    pub static oxomp_interface_version: u32 = connection::VERSION;
}

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

    /// `void oxomp_image_registered(void)`: libomptarget has registered an image of the program. A
    /// tool that waits for the number of devices starts, and the runtime does not.
    pub fn oxomp_image_registered() {
        process::image_registered();
    }

    /// `void oxomp_start_for_tool(void)`: the program calls a routine of libomptarget. Starts the
    /// runtime if a tool waits for the first or next use of OpenMP.
    pub fn oxomp_start_for_tool() {
        process::start_for_tool();
    }
}
