//! The cancellation of a group's work: threads leave a barrier before it is complete, and meet at
//! the end of the work all the same. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::fmt;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::{Barrier, Epoch, Last};
use crate::Alone;
use crate::patience::{Patience, look_until};
use crate::shim::AtomicU32;

/// Whether the work of a group is cancelled, and in which epoch of its barrier that happened.
#[derive(Debug)]
pub struct Cancellation(AtomicU32);

/// Bit of `Cancellation`: the work is cancelled. The other bits are the epoch.
const CANCELLED: u32 = 1;

impl Cancellation {
    /// The work is not cancelled.
    pub fn none() -> Self {
        Cancellation(AtomicU32::new(0))
    }

    /// Whether the work is cancelled.
    #[inline(always)]
    pub fn is_active(&self) -> bool {
        // Relaxed, here and below: barriers and marks order memory, not this word.
        self.0.load(Relaxed) & CANCELLED != 0
    }

    /// Whether the work was cancelled in the epoch `seen`.
    #[inline(always)]
    pub(crate) fn is_in(&self, seen: Epoch) -> bool {
        self.0.load(Relaxed) == seen.0 | CANCELLED
    }

    /// Cancels the work in the epoch `now`, of a thread that has not arrived in it. Returns whether
    /// this call did it.
    fn activate(&self, now: Epoch) -> bool {
        self.0.compare_exchange(0, now.0 | CANCELLED, Relaxed, Relaxed).is_ok()
    }

    /// Forgets the cancellation. Only while no thread works for the group.
    pub fn clear(&self) {
        self.0.store(0, Relaxed);
    }
}

/// A thread's arrival at a barrier: the epoch that it waits for, and its duty.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// The epoch that the thread read before it arrived.
    pub(crate) seen: Epoch,
    /// The duty of a thread that was the last to arrive: to release the others.
    pub(crate) last: Option<Last>,
}

/// The arrival of a thread that has left the barrier: it counts at the last meeting of the group's
/// work. Only the thread itself accesses it.
pub struct Departure(Cell<Option<Arrival>>);

impl fmt::Debug for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Departure").finish_non_exhaustive()
    }
}

impl Departure {
    /// No arrival: the thread has left no barrier.
    pub fn none() -> Self {
        Departure(Cell::new(None))
    }

    /// The thread leaves the barrier at which it has arrived.
    pub(crate) fn keep(&self, arrival: Arrival) {
        self.0.set(Some(arrival));
    }

    /// In the child of a fork(2): there is no other thread to meet.
    pub fn forget(&self, _: &Alone) {
        self.0.set(None);
    }
}

/// The number of the work that a thread has ended last.
#[derive(Debug)]
pub struct Ended(AtomicU32);

impl Ended {
    /// The state of a thread that has ended no work: none of the works that come soon has the
    /// number `never`.
    pub fn never(never: u32) -> Self {
        Ended(AtomicU32::new(never))
    }

    /// Whether the thread has ended the work `number`.
    pub fn has_ended(&self, number: u32) -> bool {
        // Acquire: pairs with the Release in `arrive_at_end`.
        self.0.load(Acquire) == number
    }

    /// Waits until the thread has ended the work `number`.
    pub(crate) fn wait(&self, number: u32, patience: Patience) {
        look_until(patience, || self.has_ended(number), |has_ended| has_ended);
    }
}

impl Barrier {
    /// Thread `me` cancels the work of the group, and calls the threads that wait. Only for a
    /// thread that is not at a barrier of the work, and has left none. Returns whether this call
    /// did it.
    pub fn cancel(&self, me: usize, cancellation: &Cancellation) -> bool {
        let is_first = cancellation.activate(self.epoch(me));
        if is_first {
            self.call();
        }
        is_first
    }

    /// Thread `me` has ended the work `number` of a group that may be cancelled, and arrives at the
    /// meeting that ends this work, unless it has left a barrier before and so has arrived already.
    /// If the caller is the last, it releases the others; in a cancelled group it first waits for
    /// the end of each (`Ended::wait`).
    pub(crate) fn arrive_at_end(
        &self,
        me: usize,
        departure: &Departure,
        ended: &Ended,
        number: u32,
    ) -> Arrival {
        let kept = departure.0.take();
        // Read before the mark: after the mark of a thread that has arrived already, the group may
        // go on.
        let seen = kept.as_ref().map_or_else(|| self.epoch(me), |arrival| arrival.seen);
        // Release: the last thread sees all that this thread did before.
        ended.0.store(number, Release);
        kept.unwrap_or_else(|| Arrival { seen, last: self.arrive(me) })
    }

    /// Thread `me`, which has arrived, waits until the epoch `seen` is over or the work is
    /// cancelled in it. Returns whether the epoch is over.
    pub(crate) fn wait_unless(
        &self,
        me: usize,
        seen: Epoch,
        patience: Patience,
        cancellation: &Cancellation,
    ) -> bool {
        !look_until(
            patience,
            || (self.is_past(me, seen), cancellation.is_in(seen)),
            |(is_past, is_cancelled)| is_past || is_cancelled,
        )
        .1
    }
}
