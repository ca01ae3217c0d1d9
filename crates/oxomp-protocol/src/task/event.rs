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
/// The memory of the event is used for one task after another. The word has a *serial number*,
/// which tells them apart: a program may keep the handle of a task that was discarded, and use it
/// when the memory is another task's.
///
/// Invariants:
/// 1. Each side only sets its bits, and no bit is cleared until the event belongs to another task.
/// 2. The event is fulfilled before it belongs to another task. So a late `fulfil` finds another
///    serial number, or finds the event fulfilled, and changes nothing in either case.
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
/// The bits above these are the serial number.
const SERIAL_SHIFT: u32 = 4;
/// The number of serial numbers: as many as a handle has room for beside an address.
pub const SERIALS: u32 = 1 << 22;

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
    /// The event was fulfilled before, or it belongs to another task by now.
    Again,
}

impl Event {
    /// The word of the event: bit 0 once it is fulfilled, bit 2 once the body is over, the
    /// serial number from bit 4 on.
    pub const WORD: Inside<Self, AtomicU32> = inside!(0);

    /// An event that belongs to no task yet.
    pub fn new() -> Self {
        Event(AtomicU32::new(0))
    }

    /// Makes it the event of a new task, with the next serial number.
    #[inline(always)]
    pub fn reset(&self) {
        let serial = (self.serial() + 1) % SERIALS;
        // Relaxed: every thread that sees the task sees this. No call for the task before changes
        // the word in between (Invariant 2).
        self.0.store(serial << SERIAL_SHIFT, Relaxed);
    }

    /// The serial number of the task among those whose event this was.
    #[inline(always)]
    pub fn serial(&self) -> u32 {
        // Relaxed: of interest to a thread that has the task.
        self.0.load(Relaxed) >> SERIAL_SHIFT
    }

    /// Whether the task has the last serial number: that of the next task would be the first
    /// again.
    #[inline(always)]
    pub fn is_used_up(&self) -> bool {
        self.serial() == SERIALS - 1
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

    /// Fulfils the event of the task with this serial number. Unless the answer is `Again`, the
    /// caller calls `fulfilment_is_done` next.
    #[inline]
    pub fn fulfil(&self, serial: u32) -> Fulfilment {
        let mut word = self.0.load(Relaxed);
        loop {
            if word >> SERIAL_SHIFT != serial || word & FULFILLED != 0 {
                return Fulfilment::Again;
            }
            match self.0.compare_exchange_weak(word, word | FULFILLED, AcqRel, Relaxed) {
                Ok(_) if word & OVER != 0 => return Fulfilment::Late,
                Ok(_) => return Fulfilment::Early,
                Err(now) => word = now,
            }
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
