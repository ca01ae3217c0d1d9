//! Barrier, critical, atomic and single (GOMP).

use core::ffi::c_void;
use core::ptr;

use oxomp_core::barrier::barrier;
use oxomp_core::copyprivate;
use oxomp_core::mutex::atomic;
use oxomp_core::mutex::critical::Critical;
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::worksharing::{end_single, single, single_again};
use oxomp_core::{CallSite, Thread};

use crate::argument::CriticalName;

entry! {
    /// `void GOMP_barrier(void)`
    ///
    /// gcc calls it for the directive and at the end of worksharing regions alike, and does not say
    /// which of them it is: tools hear of the directive.
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
    pub fn GOMP_critical_name_start(name: CriticalName) {
        name.enter(0, CallSite::here());
    }

    /// `void GOMP_critical_name_end(void **pptr)`
    pub fn GOMP_critical_name_end(name: CriticalName) {
        name.leave(CallSite::here());
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
    /// gcc calls nothing at the end of the block: tools hear of the region's end at its beginning.
    pub fn GOMP_single_start() -> bool {
        let site = CallSite::here();
        let thread = Thread::current();
        let executes = single(thread, site);
        if executes {
            end_single(thread, site);
        }
        executes
    }

    /// `void *GOMP_single_copy_start(void)`: null on the thread that executes the block, on the
    /// others the data that it publishes.
    pub fn GOMP_single_copy_start() -> *mut c_void {
        let site = CallSite::here();
        let thread = Thread::current();
        if single(thread, site) {
            return ptr::null_mut();
        }
        let data = copyprivate::receive(thread, site);
        if data.is_null() {
            single_again(thread, site);
        }
        data
    }

    /// `void GOMP_single_copy_end(void *data)`: the block is over, and the others may have `data`.
    pub fn GOMP_single_copy_end(data: *mut c_void) {
        let site = CallSite::here();
        let thread = Thread::current();
        end_single(thread, site);
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
