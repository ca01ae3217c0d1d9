//! Functions of LLVM's libomptarget that are not implemented: nothing that compilers emit for
//! OpenMP calls them. Each says so on stderr and answers with its failure.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_target::report;

/// The failure of functions that answer with a code.
const FAILURE: c_int = -1;

fn absent(name: &str) {
    report::warn(&format!("{name} is not implemented in oxomp; the call has no effect"));
}

/// Defines functions whose arguments nobody reads.
macro_rules! absent {
    ($($(#[$meta:meta])* $name:ident -> $ret:ty = $failure:expr;)*) => {
        $(export! {
            $(#[$meta])*
            pub fn $name() -> $ret {
                absent(stringify!($name));
                $failure
            }
        })*
    };
}

absent! {
    /// Records kernels to replay them: LLVM's tool for tuning.
    __tgt_activate_record_replay -> c_int = FAILURE;
    /// Replays a kernel.
    __tgt_target_kernel_replay -> c_int = FAILURE;
    /// An interop object in the form of OpenMP 6.0, for the dispatch construct.
    __tgt_interop_get -> *mut c_void = ptr::null_mut();
    /// The use of such an object.
    __tgt_interop_use60 -> c_int = FAILURE;
    /// The end of such an object.
    __tgt_interop_release -> c_int = FAILURE;
    /// A callback for the completion of an interop object's work.
    ompx_interop_add_completion_callback -> c_int = FAILURE;
    /// The launch of a kernel in the form of CUDA.
    llvmLaunchKernel -> c_int = FAILURE;
    /// The configuration of such a launch.
    __llvmPushCallConfiguration -> c_int = FAILURE;
    /// The configuration of such a launch.
    __llvmPopCallConfiguration -> c_int = FAILURE;
}

export! {
    /// `void ompt_libomptarget_connect(ompt_start_tool_result_t *result)`: LLVM 19's libraries of
    /// plug-ins connect to its libomptarget so; plug-ins are part of this library.
    pub fn ompt_libomptarget_connect(_result: *mut c_void) {}
}
