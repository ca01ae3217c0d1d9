//! The copyprivate clause (OpenMP 5.2 §5.7.2): one thread publishes its values to the team.

mod published;

use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;

use crate::barrier::barrier;
use crate::block::Thread;
use crate::ompt::event::SyncRegion;

pub(crate) use published::Published;

/// The thread that has executed the `single` block publishes `data` to the others, which wait for
/// it. They may read through the pointer until the next barrier, which the caller has to encounter.
pub fn publish(thread: &'static Thread, data: *mut c_void, site: CallSite) {
    let task = thread.implicit_task();
    let published = &task.team().published;
    let by = u64::from(task.singles.met()) << 32 | u64::from(task.thread_num());
    // Relaxed, both stores: the barrier publishes them.
    published.data.store(data, Relaxed);
    published.by.store(by, Relaxed);
    barrier(thread, SyncRegion::BarrierImplementation, site);
}

/// Each other thread waits until the executing thread has published its pointer, and returns it;
/// null if the region is cancelled, and the executing thread may never publish it.
pub fn receive(thread: &'static Thread, site: CallSite) -> *mut c_void {
    if barrier(thread, SyncRegion::BarrierImplementation, site) {
        thread.team().published.data.load(Relaxed)
    } else {
        core::ptr::null_mut()
    }
}
