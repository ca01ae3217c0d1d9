//! Who may look for a team's tasks while it is at a barrier. Steps and argument: README.md beside this
//! file.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};

use super::tally::Tally;
#[cfg(not(loom))]
use crate::os;
use crate::sync::{AtomicU32, fence, pause, wake, yield_now};

/// Open from the first task of a region, or after a barrier, until the barrier that completes it.
///
/// Threads that have arrived at the barrier look for tasks while it is open, each registered by
/// `helping` in its tally. The last thread to arrive closes it and waits until nobody is
/// registered: then nobody of this region looks into a deque when the next begins.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Gate {
    open: AtomicU32,
    sleepers: AtomicU32,
}

impl Gate {
    pub(crate) fn new() -> Self {
        Gate { open: AtomicU32::new(0), sleepers: AtomicU32::new(0) }
    }

    #[inline(always)]
    pub(crate) fn is_open(&self) -> bool {
        self.open.load(Relaxed) != 0
    }

    /// Opens it: whether the caller did, who then calls those that wait already.
    pub(crate) fn open(&self) -> bool {
        self.open.swap(1, SeqCst) == 0
    }

    /// Registers the calling thread as a helper: whether the gate is open. If not, it is not registered.
    pub(crate) fn enter(&self, tally: &Tally) -> bool {
        tally.helping.store(1, SeqCst);
        // Either this load sees the gate closed, or who closes it sees us (both SeqCst).
        if self.open.load(SeqCst) != 0 {
            return true;
        }
        self.leave(tally);
        false
    }

    /// The helper looks into no deque any more.
    pub(crate) fn leave(&self, tally: &Tally) {
        // SeqCst is more than needed, Release is needed: what it did comes before.
        tally.helping.store(0, SeqCst);
    }

    /// Closes it, when no task is left, and waits until the helpers have left.
    pub(crate) fn close<'a>(&self, tallies: impl Fn(u32) -> &'a Tally, size: u32) {
        self.open.store(0, SeqCst);
        fence(SeqCst);
        if self.sleepers.load(SeqCst) != 0 {
            wake(&self.open, i32::MAX);
        }
        for place in 0..size {
            let mut looks = 0;
            while tallies(place).helping.load(SeqCst) != 0 {
                looks += 1;
                if looks < LOOKS { pause() } else { yield_now() }
            }
        }
    }

    /// A helper that finds nothing sleeps for a while, less if the gate closes.
    #[cfg(not(loom))]
    pub(crate) fn sleep(&self, nanoseconds: u64) {
        self.sleepers.fetch_add(1, SeqCst);
        os::futex_wait_for(&self.open, 1, nanoseconds);
        self.sleepers.fetch_sub(1, SeqCst);
    }

    /// In the child of a fork(2).
    pub(crate) fn forget(&self) {
        self.open.store(0, Relaxed);
        self.sleepers.store(0, Relaxed);
    }
}

/// A helper leaves within a microsecond unless its processor was taken from it.
const LOOKS: u32 = 100;
