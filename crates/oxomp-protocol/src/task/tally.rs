//! The counts by which the end of all tasks of a group of threads is found.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::shim::AtomicU32;

/// The tasks that a thread of a team has made and has completed, so far in the life of the team.
///
/// Only the thread itself writes them, so that counting costs no exclusive access.
#[derive(Debug)]
#[repr(align(128))]
pub struct Tally {
    made: AtomicU32,
    done: AtomicU32,
    /// Threads between `Gate::enter` and `Gate::leave`: this one, for a moment one that had
    /// the place before.
    pub(super) helping: AtomicU32,
}

impl Tally {
    pub fn new() -> Self {
        Tally { made: AtomicU32::new(0), done: AtomicU32::new(0), helping: AtomicU32::new(0) }
    }

    /// The thread makes a task. Before anyone can run it.
    #[inline(always)]
    pub fn make(&self) {
        // Relaxed: seen by who sees the task.
        self.made.store(self.made.load(Relaxed).wrapping_add(1), Relaxed);
    }

    /// The thread has completed a task.
    #[inline(always)]
    pub fn complete(&self) {
        // Release: what the task did, and what it made, is seen by who sees the count.
        self.done.store(self.done.load(Relaxed).wrapping_add(1), Release);
    }

    /// No task of the team is unfinished. From now on the sums of any number of its tallies are
    /// equal, not only those of all.
    pub fn balance(&self) {
        self.done.store(self.made.load(Relaxed), Relaxed);
    }

    /// In the child of a fork(2): tasks that other threads had are gone with them.
    pub fn forget(&self) {
        self.balance();
        self.helping.store(0, Relaxed);
    }
}

/// Whether there was a moment, after the call began, at which no task of the team was unfinished,
/// if its implicit tasks make no more. `outstanding` are the tasks that the tallies do not count.
///
/// The completed are summed first. Both sums only grow and the completed are never more than
/// the made; so if the made, summed later, are as many, they were so in between, when
/// `outstanding` was read.
#[inline(always)]
pub fn is_quiescent<'a>(
    tallies: impl Fn(u32) -> &'a Tally,
    size: u32,
    outstanding: &AtomicU32,
) -> bool {
    let mut done = 0u32;
    for place in 0..size {
        // Acquire: pairs with the Release in `complete`; it orders the sums, too.
        done = done.wrapping_add(tallies(place).done.load(Acquire));
    }
    // Acquire: the same for the tasks that are counted here.
    if outstanding.load(Acquire) != 0 {
        return false;
    }
    let mut made = 0u32;
    for place in 0..size {
        made = made.wrapping_add(tallies(place).made.load(Relaxed));
    }
    made == done
}
