//! Barrier, critical, atomic and single (GOMP).

use core::ffi::c_void;

use oxomp_core::barrier::barrier;
use oxomp_core::mutex::atomic;
use oxomp_core::mutex::critical::Critical;
use oxomp_core::ompt::event::{Endpoint, SyncRegion, Work, emit};
use oxomp_core::worksharing::single;
use oxomp_core::{CallSite, Thread};

entry! {
    /// `void GOMP_barrier(void)`
    ///
    /// gcc calls it for the directive and at the end of worksharing regions alike, and does not say
    /// which: it is reported as the directive.
    pub fn GOMP_barrier() {
        barrier(Thread::current(), SyncRegion::BarrierExplicit, CallSite::here());
    }

    /// `void GOMP_critical_start(void)`
    pub fn GOMP_critical_start() {
        Critical::unnamed().enter(0, CallSite::here());
    }

    /// `void GOMP_critical_end(void)`
    pub fn GOMP_critical_end() {
        Critical::unnamed().leave(CallSite::here());
    }

    /// `void GOMP_critical_name_start(void **pptr)`
    ///
    /// # Safety
    /// `name` is the compiler's object for the critical's name.
    pub unsafe fn GOMP_critical_name_start(name: *mut *mut c_void) {
        // SAFETY: by contract: a word, zero at first, and the runtime's.
        unsafe { Critical::at(name.cast::<u32>()) }.enter(0, CallSite::here());
    }

    /// `void GOMP_critical_name_end(void **pptr)`
    ///
    /// # Safety
    /// `name` is the compiler's object for the critical's name.
    pub unsafe fn GOMP_critical_name_end(name: *mut *mut c_void) {
        // SAFETY: as at the start.
        unsafe { Critical::at(name.cast::<u32>()) }.leave(CallSite::here());
    }

    /// `void GOMP_atomic_start(void)`
    pub fn GOMP_atomic_start() {
        atomic::enter(CallSite::here());
    }

    /// `void GOMP_atomic_end(void)`
    pub fn GOMP_atomic_end() {
        atomic::leave(CallSite::here());
    }

    /// `bool GOMP_single_start(void)`
    ///
    /// gcc calls nothing at the end of the block: the region is reported as over when it begins.
    pub fn GOMP_single_start() -> bool {
        let site = CallSite::here();
        let thread = Thread::current();
        let executes = single(thread);
        let kind = if executes { Work::SingleExecutor } else { Work::SingleOther };
        let task = &thread.task().ompt;
        emit::work(kind, Endpoint::Begin, task, 1, site);
        emit::work(kind, Endpoint::End, task, 1, site);
        executes
    }
}
