//! The data of a team's last copyprivate.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use oxomp_protocol::pause;

/// The pointer that a team's last copyprivate published, its publisher, and the number of its
/// `single`.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Published {
    pub(super) data: AtomicPtr<c_void>,
    /// The number of the team's next `single` in the upper half, the publisher's thread number in
    /// the lower one.
    pub(super) by: AtomicU64,
}

/// The number of polls by which a thread lets another go first: about 300 ns, more than a cache
/// line needs to travel (`copyprivate_6561`).
const COURTESY: u32 = 16;

impl Published {
    pub(crate) fn new() -> Self {
        // No thread has the number in this initial value.
        Published { data: AtomicPtr::new(ptr::null_mut()), by: AtomicU64::new(u64::MAX) }
    }

    /// Called by thread `me` before it tries to take the `single` number `number`. If another
    /// thread published at the `single` before, `me` gives it a head start, so that large values do
    /// not bounce between threads. Otherwise a thread that copied the values, and so left the
    /// barrier before the publisher, would execute each next copyprivate of a loop, and the values
    /// would travel both ways each time.
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
