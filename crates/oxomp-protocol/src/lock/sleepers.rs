//! Which locks may have a sleeper. Steps and argument: README.md beside this file.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use crate::Alone;
use crate::shim::{AtomicU32, LOCK_ENTRIES, fence_lightly, fence_of_all_threads, lock_entry};

/// What a sleeper adds to the entry of its lock.
const SLEEPER: u32 = 2;
/// Every release that is not yet past sees an entry that is not 0 (bit 0 of an entry).
const SEEN: u32 = 1;

/// The entry of a lock's word. Locks share entries: an entry that is not 0 costs the release of
/// another lock a call of the kernel that wakes no thread.
#[inline(always)]
fn entry(word: *const AtomicU32) -> &'static AtomicU32 {
    // Addresses that lie any distance apart are spread over the entries: 2³² divided by the golden
    // ratio.
    let spread = (word.addr() as u32).wrapping_mul(0x9e37_79b1) >> 16;
    lock_entry(spread as usize % LOCK_ENTRIES)
}

/// Whether a thread may sleep on the word at `word`, which the calling thread has made free just
/// now, and which may have been freed as memory since.
#[inline(always)]
pub(super) fn may_sleep_on(word: *const AtomicU32) -> bool {
    fence_lightly();
    // Relaxed: the entry publishes nothing.
    entry(word).load(Relaxed) != 0
}

/// A thread that may sleep on a lock's word, from before its last look at the word until it is
/// dropped.
pub(crate) struct Sleeper<'a>(&'a AtomicU32);

impl<'a> Sleeper<'a> {
    /// Enters the calling thread as one that may sleep on `word`. From now on each release of the
    /// lock either is visible to this thread or sees its entry.
    pub(crate) fn on(word: &'a AtomicU32) -> Self {
        let entry = entry(word);
        // Acquire: pairs with the Release below. Where another sleeper has set `SEEN`, what its
        // fence has made visible is visible here, too.
        if entry.fetch_add(SLEEPER, Acquire) & SEEN == 0 {
            fence_of_all_threads();
            entry.fetch_or(SEEN, Release);
        }
        Sleeper(word)
    }
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        // The last sleeper of the entry takes `SEEN` along: the next one makes a fence of its own.
        // An entry without a sleeper belongs to the child of a fork(2), which has forgotten it.
        let leave = |entry: u32| match entry.checked_sub(SLEEPER)? {
            0 | SEEN => Some(0),
            left => Some(left),
        };
        // AcqRel: hands on to the next sleeper what the fences before have made visible.
        let _ = entry(self.0).fetch_update(AcqRel, Relaxed, leave);
    }
}

/// In the child of a fork(2): no thread sleeps on a lock.
pub fn forget_sleepers(_: &Alone) {
    for index in 0..LOCK_ENTRIES {
        lock_entry(index).store(0, Relaxed);
    }
}
