//! Handing the values of one thread to its team (OpenMP 5.2 §5.7.2, copyprivate).

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use oxomp_protocol::pause;

use crate::arch::CallSite;
use crate::barrier::barrier;
use crate::ompt::event::SyncRegion;
use crate::thread::Thread;

/// What a team's last copyprivate has published, and who did at which `single`.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Published {
    data: AtomicPtr<c_void>,
    /// The number of the team's next `single` in the upper half, the publisher's thread number in the
    /// lower one.
    by: AtomicU64,
}

/// Looks that a thread takes to let another go first: about 300 ns, more than a line needs to travel
/// (`copyprivate_6561`).
const COURTESY: u32 = 16;

impl Published {
    pub(crate) fn new() -> Self {
        // No thread has that number.
        Published { data: AtomicPtr::new(ptr::null_mut()), by: AtomicU64::new(u64::MAX) }
    }

    /// Called by thread `me` before it asks for the `single` number `number`. If the one before was
    /// copied to the team by another thread, that one gets a moment's start: else each copyprivate of a
    /// loop would be executed by the thread that copied last and so left the barrier first, and the
    /// values would travel both ways each time.
    #[inline(always)]
    pub(crate) fn defer_to_publisher(&self, me: u32, number: u32, found: &AtomicU32) {
        let by = self.by.load(Relaxed);
        if (by >> 32) as u32 == number && by as u32 != me {
            wait_for(found, number);
        }
    }
}

#[cold]
fn wait_for(found: &AtomicU32, number: u32) {
    for _ in 0..COURTESY {
        if found.load(Relaxed) != number {
            return;
        }
        pause();
    }
}

/// The thread that has executed the `single` gives `data` to the others, which wait for it. They may
/// read through it until the barrier that has to follow.
pub fn publish(thread: &'static Thread, data: *mut c_void, site: CallSite) {
    let task = thread.implicit_task();
    let published = &task.team().published;
    let by = u64::from(task.singles.met()) << 32 | u64::from(task.thread_num());
    // Relaxed, both: the barrier publishes them.
    published.data.store(data, Relaxed);
    published.by.store(by, Relaxed);
    barrier(thread, SyncRegion::BarrierImplementation, site);
}

/// Another thread waits for what the one publishes.
pub fn receive(thread: &'static Thread, site: CallSite) -> *mut c_void {
    barrier(thread, SyncRegion::BarrierImplementation, site);
    thread.team().published.data.load(Relaxed)
}
