//! A condition that threads wait for: what changes under a lock, and a word on which they sleep.

use core::sync::atomic::Ordering::{Relaxed, Release};

use crate::shim::{AtomicU32, nap_on, sleep_on, wake};

/// A count of changes of what a lock guards, on which threads sleep that wait for a change.
///
/// A thread that holds the lock, and finds that it has to wait, takes the count, frees the lock,
/// and sleeps while the count is the same. A thread that changes what is behind the lock counts
/// afterwards: either the sleeper has taken the new count, with the lock held after the change, or
/// its word differs and it does not sleep. No thread owns the word, so that a thread which is gone
/// in the child of a fork(2) leaves nothing there.
#[derive(Debug)]
pub struct Condition {
    changes: AtomicU32,
}

/// The count that a thread has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(u32);

impl Condition {
    const_unless_model! {
        /// No change yet.
        pub fn new() -> Self {
            Condition { changes: AtomicU32::new(0) }
        }
    }

    /// The count, for a thread that holds the lock.
    pub fn moment(&self) -> Moment {
        // Relaxed: a change that the caller must not miss is counted after its lock was freed, or
        // before the caller got it.
        Moment(self.changes.load(Relaxed))
    }

    /// Sleeps while there is no change after `moment`; may return earlier.
    pub fn sleep(&self, moment: Moment) {
        sleep_on(&self.changes, moment.0);
    }

    /// As `sleep`, for at most `nanoseconds`.
    pub fn sleep_for(&self, moment: Moment, nanoseconds: u64) {
        nap_on(&self.changes, moment.0, nanoseconds);
    }

    /// Wakes all threads that sleep, after a change under the lock.
    pub fn wake_all(&self) {
        // Release: a thread that sees the count sees the change's lock freed, or held.
        self.changes.fetch_add(1, Release);
        wake(&self.changes, i32::MAX);
    }
}

impl Default for Condition {
    fn default() -> Self {
        Self::new()
    }
}
