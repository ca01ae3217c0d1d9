//! A kernel that oxomp's libomptarget executes on the host: a target region like those of gcc's
//! code. The task that encounters it is the one that called libomptarget, a target task if the
//! compiler has made one; libomptarget tells tools of the construct.

use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;
use oxomp_sys::connection::oxomp_kernel_t;

use super::region::{self, Region};
use crate::block::{Thread, ToldTarget};
use crate::ompt::event::{Audience, for_audience};

/// Executes the target region of a kernel.
///
/// # Safety
/// The kernel's function takes its data.
pub unsafe fn execute_kernel(thread: &'static Thread, kernel: &oxomp_kernel_t) {
    oxomp_arch::kernels_return_to(kernel.returns_to);
    // Relaxed: the calling thread writes them.
    let told = thread.ompt.target().map_or(ToldTarget::UNTOLD, |construct| ToldTarget {
        id: construct.target_id.load(Relaxed),
        device_num: construct.device_num.load(Relaxed) as u32,
    });
    let function = kernel.function as *const c_void;
    let thread_limit = clause(thread);
    let code = kernel.code;
    let device = kernel.device;
    let region = Region { code, told, device, thread_limit, ..Region::new(function, kernel.data) };
    let site = if kernel.frame.is_null() {
        CallSite::none()
    } else {
        // SAFETY: the frame of the function that the program has called, which has not returned.
        unsafe { CallSite::from_frame(kernel.frame) }
    };
    for_audience!(|audience| {
        let _frame = audience.enter(&thread.task().ompt, site);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { region::execute(audience, thread, &region, site) };
    });
}

/// The thread_limit clause of the construct, 0 for none. clang's code sets it as the limit of the
/// task that encounters the construct.
fn clause(thread: &Thread) -> u32 {
    let icvs = thread.task().icvs();
    if icvs.thread_limit_is_clause { icvs.thread_limit_var } else { 0 }
}
