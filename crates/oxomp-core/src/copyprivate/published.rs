//! What a team's last copyprivate has published.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use oxomp_protocol::pause;

/// What a team's last copyprivate has published, and who did at which `single`.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Published {
    pub(super) data: AtomicPtr<c_void>,
    /// The number of the team's next `single` in the upper half, the publisher's thread number in the
    /// lower one.
    pub(super) by: AtomicU64,
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
