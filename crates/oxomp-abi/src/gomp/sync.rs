//! Barrier, critical, atomic and single (GOMP).

use core::ffi::c_void;
use core::ptr;

use oxomp_core::barrier::barrier;
use oxomp_core::copyprivate;
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
        let task = &thread.implicit_task().ompt;
        emit::work(kind, Endpoint::Begin, task, 1, site);
        emit::work(kind, Endpoint::End, task, 1, site);
        executes
    }

    /// `void *GOMP_single_copy_start(void)`: null on the thread that executes the block, else what
    /// that publishes.
    pub fn GOMP_single_copy_start() -> *mut c_void {
        let site = CallSite::here();
        let thread = Thread::current();
        let executes = single(thread);
        let kind = if executes { Work::SingleExecutor } else { Work::SingleOther };
        let task = &thread.implicit_task().ompt;
        emit::work(kind, Endpoint::Begin, task, 1, site);
        if executes {
            return ptr::null_mut();
        }
        emit::work(kind, Endpoint::End, task, 1, site);
        copyprivate::receive(thread, site)
    }

    /// `void GOMP_single_copy_end(void *data)`: the block is over, and the others may have `data`.
    pub fn GOMP_single_copy_end(data: *mut c_void) {
        let site = CallSite::here();
        let thread = Thread::current();
        emit::work(Work::SingleExecutor, Endpoint::End, &thread.implicit_task().ompt, 1, site);
        copyprivate::publish(thread, data, site);
    }

    /// `void GOMP_ordered_start(void)`
    pub fn GOMP_ordered_start() {
        Thread::current().begin_ordered(CallSite::here());
    }

    /// `void GOMP_ordered_end(void)`
    pub fn GOMP_ordered_end() {
        Thread::current().end_ordered(CallSite::here());
    }
}
