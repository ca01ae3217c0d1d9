//! Handing the values of one thread to its team (OpenMP 5.2 §5.7.2, copyprivate).

use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;

use crate::arch::CallSite;
use crate::barrier::barrier;
use crate::ompt::event::SyncRegion;
use crate::thread::Thread;

/// The thread that has executed the `single` gives `data` to the others, which wait for it. They may
/// read through it until the barrier that has to follow.
pub fn publish(thread: &'static Thread, data: *mut c_void, site: CallSite) {
    // Relaxed: the barrier publishes it.
    thread.team().copyprivate.store(data, Relaxed);
    barrier(thread, SyncRegion::BarrierImplementation, site);
}

/// Another thread waits for what the one publishes.
pub fn receive(thread: &'static Thread, site: CallSite) -> *mut c_void {
    barrier(thread, SyncRegion::BarrierImplementation, site);
    thread.team().copyprivate.load(Relaxed)
}
