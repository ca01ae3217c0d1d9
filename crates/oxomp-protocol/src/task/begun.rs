//! Whether tasks of a group have begun and are not over, for a thread that leaves the group's work
//! early. Steps and argument: README.md beside this file.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};

use crate::Alone;
use crate::shim::{AtomicU32, fence};

/// The tasks of a group that a thread has begun, and those that it has brought to their end. A task
/// may begin on one thread and end on another.
///
/// Only the thread itself writes the two counts.
#[derive(Debug)]
pub struct Begun {
    begun: AtomicU32,
    over: AtomicU32,
}

impl Begun {
    /// The counts of a thread that has begun no task yet.
    pub fn new() -> Self {
        Begun { begun: AtomicU32::new(0), over: AtomicU32::new(0) }
    }

    /// The thread begins a task. Where the work may be cancelled before it does, `begin_unless`.
    pub fn begin(&self) {
        self.begun.store(self.begun.load(Relaxed).wrapping_add(1), Relaxed);
        // Either this thread sees the cancellation, or a thread that has seen it, and calls
        // `are_over`, sees the count.
        fence(SeqCst);
    }

    /// The thread is about to begin a task, and does so unless the task `is_cancelled`. Returns
    /// whether it does.
    pub fn begin_unless(&self, is_cancelled: impl FnOnce() -> bool) -> bool {
        self.begin();
        let begins = !is_cancelled();
        if !begins {
            self.end();
        }
        begins
    }

    /// A task is over.
    pub fn end(&self) {
        // Release: a thread that sees the count sees the task's writes, and its beginning.
        self.over.store(self.over.load(Relaxed).wrapping_add(1), Release);
    }

    /// Makes both counts equal. Only while every task of the group that has begun is over: then the
    /// sums of any number of its threads' counts are equal, not only those of all.
    pub fn balance(&self) {
        self.over.store(self.begun.load(Relaxed), Relaxed);
    }

    /// In the child of a fork(2): the tasks of other threads are gone with them.
    pub fn forget(&self, _: &Alone) {
        self.balance();
    }
}

/// Whether all tasks that any thread of the group began before it saw the cancellation are over.
/// Called by a thread that has seen it.
pub fn are_over<'a>(counts: impl Fn(u32) -> &'a Begun, size: u32) -> bool {
    // Pairs with the fence in `begin`.
    fence(SeqCst);
    // Acquire: pairs with the Release in `end`, and keeps the sums in this order.
    let over = sum(size, |thread| counts(thread).over.load(Acquire));
    over == sum(size, |thread| counts(thread).begun.load(Relaxed))
}

fn sum(size: u32, count: impl Fn(u32) -> u32) -> u32 {
    (0..size).fold(0, |sum, thread| sum.wrapping_add(count(thread)))
}
