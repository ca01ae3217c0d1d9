//! The event of a detachable task, which it waits for besides its body: the task is complete when
//! the body is over and the event is fulfilled, in either order. Steps and argument: README.md
//! beside this file.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::Alone;
use crate::inside::{Inside, inside};
use crate::shim::{AtomicU32, pause, yield_now};

/// The event of a task.
///
/// Two sides act once each: the thread that has executed the body, and the thread that fulfils the
/// event. Each *begins*, which decides its report, reports, and is *done*; the side that is done
/// last completes the task. So the task exists for either side as long as that side reports.
///
/// Invariant: each side only sets its bits, and no bit is cleared until the event belongs to
/// another task.
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

/// How often a side that waits for the other's report polls before it yields: most reports take
/// less.
const LOOKS: u32 = 1000;

/// The state of the task that `fulfil` finds.
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
    /// The word of the event: bit 0 once it is fulfilled, bit 2 once the body is over.
    pub const WORD: Inside<Self, AtomicU32> = inside!(0);

    /// An event that belongs to no task yet.
    pub fn new() -> Self {
        Event(AtomicU32::new(0))
    }

    /// Makes it the event of a new task.
    #[inline(always)]
    pub fn reset(&self) {
        // Relaxed: every thread that sees the task sees this.
        self.0.store(0, Relaxed);
    }

    /// The body is over. Returns whether the event has been fulfilled.
    #[inline]
    pub fn body_is_over(&self) -> bool {
        // AcqRel, here and below: each side sees what the other did before.
        self.0.fetch_or(OVER, AcqRel) & FULFILLED != 0
    }

    /// The body's thread is done. Returns whether it has to complete the task; if not, it must not
    /// touch the task again.
    #[inline]
    pub fn end_is_done(&self) -> bool {
        self.0.fetch_or(END_DONE, AcqRel) & FULFIL_DONE != 0
    }

    /// Fulfils the event. Unless it was fulfilled before, the caller calls `fulfilment_is_done`
    /// next.
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

    /// The thread that fulfilled the event is done. Returns whether it has to complete the task; if
    /// not, it must not touch the task again.
    #[inline]
    pub fn fulfilment_is_done(&self) -> bool {
        self.0.fetch_or(FULFIL_DONE, AcqRel) & END_DONE != 0
    }

    /// For the body's thread, which found the event fulfilled: returns when the other side is done,
    /// so that reports come in the order in which the sides began, or when `is_reporting` says that
    /// no tool listens.
    pub fn await_fulfilment(&self, is_reporting: impl Fn() -> bool) {
        self.await_side(FULFIL_DONE, is_reporting);
    }

    /// For the thread that fulfils, which found the body over: returns when the body's thread is
    /// done, or when `is_reporting` says that no tool listens.
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

    /// In the child of a fork(2), for a task whose body is not over: a thread that was fulfilling
    /// the event counts as done.
    pub fn outlive_others(&self, _: &Alone) {
        if self.0.load(Relaxed) & FULFILLED != 0 {
            self.0.fetch_or(FULFIL_DONE, Relaxed);
        }
    }
}
