//! The count of the generations that one task waits for. Steps and argument: README.md beside this
//! file, When a task is ready.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::inside::{Inside, inside};
use crate::shim::AtomicU32;

/// The waits of a task that are not over, and one more while a thread places them. The thread that
/// brings the count to zero makes the task ready, and sees the effects of all its predecessors.
#[derive(Debug)]
#[repr(transparent)]
pub struct WaitCount(AtomicU32);

impl WaitCount {
    /// The count itself.
    pub const WORD: Inside<Self, AtomicU32> = inside!(0);

    /// The count of a task that waits for nothing.
    pub fn new() -> Self {
        WaitCount(AtomicU32::new(0))
    }

    /// The calling thread begins to place waits, `most` of them at most. No other thread knows the
    /// count.
    #[inline(always)]
    pub fn begin(&self, most: u32) {
        // Relaxed: no other thread knows the count before a generation lists a wait.
        self.0.store(most + 1, Relaxed);
    }

    /// The calling thread has placed its waits: `placed` of the `most` with which it began. Returns
    /// whether none is left.
    #[inline(always)]
    #[must_use]
    pub fn forgo(&self, most: u32, placed: u32) -> bool {
        let forgone = most - placed + 1;
        // Without a wait no other thread knows the count. AcqRel: the ready task sees the effects
        // of the tasks that it depends on.
        placed == 0 || self.0.fetch_sub(forgone, AcqRel) == forgone
    }

    /// A generation that the task waits for is over: the thread that learns of it calls this, once
    /// for each wait. Returns whether none is left.
    ///
    /// If there is one left, the memory may be used for another count before this returns.
    #[inline(always)]
    #[must_use]
    pub fn tell(&self) -> bool {
        // AcqRel: the thread that brings the count to zero sees the effects of all predecessors.
        self.0.fetch_sub(1, AcqRel) == 1
    }

    /// Whether no wait is left, for a thread that has placed some, and polls. It then sees the
    /// effects of all predecessors.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        // Acquire: pairs with the AcqRel of `tell`.
        self.0.load(Acquire) == 0
    }
}
