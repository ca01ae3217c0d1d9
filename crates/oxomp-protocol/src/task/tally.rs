//! The counts by which a group of threads finds the end of its tasks.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::Alone;
use crate::inside::{Inside, inside};
use crate::shim::AtomicU32;

/// The number of tasks that a thread of a group has made, and of those that it has completed, since
/// the group began.
///
/// Only the thread itself writes the two counts, so that counting takes no atomic
/// read-modify-write.
#[derive(Debug)]
#[repr(align(128))]
pub struct Tally {
    made: AtomicU32,
    done: AtomicU32,
    /// Threads between `Gate::enter` and `Gate::leave`: this thread, and for a moment one that had
    /// its place in the group before.
    pub(super) helping: AtomicU32,
}

impl Tally {
    /// The number of threads that help with tasks while they wait at a barrier.
    pub const HELPING: Inside<Self, AtomicU32> = inside!(helping);

    /// The tally of a thread that has made no task yet.
    pub fn new() -> Self {
        Tally { made: AtomicU32::new(0), done: AtomicU32::new(0), helping: AtomicU32::new(0) }
    }

    /// The thread makes a task. Called before any thread can run the task.
    #[inline(always)]
    pub fn make(&self) {
        // Relaxed: a thread that sees the task sees the count.
        self.made.store(self.made.load(Relaxed).wrapping_add(1), Relaxed);
    }

    /// The thread has completed a task.
    #[inline(always)]
    pub fn complete(&self) {
        // Release: a thread that sees the count sees the task's writes, and the tasks that it made.
        self.done.store(self.done.load(Relaxed).wrapping_add(1), Release);
    }

    /// Makes both counts equal. Only while no task of the group is unfinished: then the sums of any
    /// number of its tallies are equal, not only those of all.
    pub fn balance(&self) {
        self.done.store(self.made.load(Relaxed), Relaxed);
    }

    /// In the child of a fork(2): the tasks of other threads are gone with them, and so are
    /// helpers.
    pub fn forget(&self, _: &Alone) {
        self.balance();
        self.helping.store(0, Relaxed);
    }
}

/// Whether there was a moment, after the call began, at which no task of the group was unfinished,
/// provided that only its tasks make more. `outstanding` are the tasks that the tallies do not
/// count.
///
/// The completed tasks are summed first. Both sums only grow, and the completed tasks are never
/// more than the made ones; so if the made ones, summed later, are as many, they were as many in
/// between, when `outstanding` was read.
#[inline(always)]
pub fn is_quiescent<'a>(
    tallies: impl Fn(u32) -> &'a Tally,
    size: u32,
    outstanding: &AtomicU32,
) -> bool {
    let mut done = 0u32;
    for thread_num in 0..size {
        // Acquire: pairs with the Release in `complete`, and keeps the sums in this order.
        done = done.wrapping_add(tallies(thread_num).done.load(Acquire));
    }
    // Acquire: pairs with the Release by which an outstanding task is counted as complete.
    if outstanding.load(Acquire) != 0 {
        return false;
    }
    let mut made = 0u32;
    for thread_num in 0..size {
        made = made.wrapping_add(tallies(thread_num).made.load(Relaxed));
    }
    made == done
}
