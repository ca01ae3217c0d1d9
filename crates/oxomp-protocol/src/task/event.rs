//! The event that a task waits for beside its body: the task is complete when the body is over and
//! the event is fulfilled, in either order. Steps and argument: README.md beside this file.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::{AtomicU32, pause, yield_now};

/// The event of a task.
///
/// Two sides come once each: the thread whose body is over, and the thread that fulfils. Each
/// *begins*, which decides its report, reports, and is *done*; the side that is done last
/// completes the task. So the task is there for either side as long as it reports.
///
/// Invariant: bits are only set, each by its side, until the event is another task's.
#[derive(Debug)]
pub struct Event(AtomicU32);

/// The event is fulfilled.
const FULFILLED: u32 = 1;
/// The thread that fulfilled it is done.
const FULFIL_DONE: u32 = 2;
/// The body is over.
const OVER: u32 = 4;
/// The body's thread is done.
const END_DONE: u32 = 8;

/// How often a side that waits for the other's report looks before it yields: most take less.
const LOOKS: u32 = 1000;

/// The state that `fulfil` finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fulfilment {
    /// The body is not over.
    Early,
    /// The body is over.
    Late,
    /// The event was fulfilled before.
    Again,
}

impl Event {
    /// An event of no task yet.
    pub fn new() -> Self {
        Event(AtomicU32::new(0))
    }

    /// A new task has it.
    #[inline(always)]
    pub fn reset(&self) {
        // Relaxed: seen by every thread that sees the task.
        self.0.store(0, Relaxed);
    }

    /// The body is over: whether the event is fulfilled.
    #[inline]
    pub fn body_is_over(&self) -> bool {
        // AcqRel, here and below: each side sees what the other did before.
        self.0.fetch_or(OVER, AcqRel) & FULFILLED != 0
    }

    /// The body's thread is done: whether it completes the task. If not, it does not touch the task
    /// again.
    #[inline]
    pub fn end_is_done(&self) -> bool {
        self.0.fetch_or(END_DONE, AcqRel) & FULFIL_DONE != 0
    }

    /// Fulfils it. Unless that was done before, `fulfilment_is_done` is next.
    #[inline]
    pub fn fulfil(&self) -> Fulfilment {
        let before = self.0.fetch_or(FULFILLED, AcqRel);
        if before & FULFILLED != 0 {
            Fulfilment::Again
        } else if before & OVER != 0 {
            Fulfilment::Late
        } else {
            Fulfilment::Early
        }
    }

    /// The thread that fulfilled it is done: whether it completes the task. If not, it does not
    /// touch the task again.
    #[inline]
    pub fn fulfilment_is_done(&self) -> bool {
        self.0.fetch_or(FULFIL_DONE, AcqRel) & END_DONE != 0
    }

    /// By the body's thread, which found the event fulfilled: returns when the other side is done,
    /// so that reports come in the order in which the sides began. The wait ends, too, when
    /// `is_reporting` says that nobody asks for reports.
    pub fn await_fulfilment(&self, is_reporting: impl Fn() -> bool) {
        self.await_side(FULFIL_DONE, is_reporting);
    }

    /// By the thread that fulfils, which found the body over: returns when the body's thread is
    /// done, or when `is_reporting` says that nobody asks for reports.
    pub fn await_end(&self, is_reporting: impl Fn() -> bool) {
        self.await_side(END_DONE, is_reporting);
    }

    #[cold]
    fn await_side(&self, done: u32, is_reporting: impl Fn() -> bool) {
        let mut looks = 0;
        while is_reporting() && self.0.load(Acquire) & done == 0 {
            looks += 1;
            if looks < LOOKS { pause() } else { yield_now() }
        }
    }

    /// In the child of a fork(2), of a task whose body is not over: a thread that was fulfilling it
    /// has nothing left to do.
    pub fn outlive_others(&self) {
        if self.0.load(Relaxed) & FULFILLED != 0 {
            self.0.fetch_or(FULFIL_DONE, Relaxed);
        }
    }
}
