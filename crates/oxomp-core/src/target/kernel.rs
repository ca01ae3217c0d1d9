//! A kernel that oxomp's libomptarget executes on the host: a target region like those of the host
//! itself, but that libomptarget has generated its target task, and tells tools of the construct.

use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::connection::oxomp_kernel_t;

use super::region::{self, Region};
use crate::arch::{self, BorrowedSite};
use crate::block::{TargetPlace, Thread};
use crate::ompt::event::for_audience;

/// Executes the target region of a kernel.
///
/// # Safety
/// The kernel's function takes its data.
pub unsafe fn execute_kernel(thread: &'static Thread, kernel: &oxomp_kernel_t) {
    arch::kernels_return_to(kernel.returns_to);
    // Relaxed: the calling thread writes them.
    let place = thread.ompt.target().map_or(TargetPlace::UNTOLD, |construct| TargetPlace {
        id: construct.target_id.load(Relaxed),
        device_num: construct.device_num.load(Relaxed) as u32,
    });
    let function = kernel.function as *const c_void;
    let region = Region { code: kernel.code, place, ..Region::new(function, kernel.data) };
    let borrowed = BorrowedSite::new(kernel.site);
    // SAFETY: the caller's own promise (`# Safety`).
    for_audience!(|audience| unsafe {
        region::execute(audience, thread, &region, borrowed.site());
    });
}

/// The thread_limit clause of the target region that the calling thread executes: it holds for the
/// initial task of the region, and for its contention group, in which no other thread is busy yet.
pub fn limit_threads(thread: &Thread, limit: u32) {
    thread.task().change_icvs(|icvs| icvs.thread_limit_var = limit);
    let team = thread.team();
    if team.is_of_target_region() {
        team.group().set_limit(limit);
    }
}
