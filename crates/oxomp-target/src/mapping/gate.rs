//! The gate of an entry: threads that transfer its data pass one after the other, in the order of
//! their tickets.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::Arc;

use super::Shared;
use crate::plugin::Event;
use crate::sync::{AtomicBool, AtomicU64, Condvar, Mutex, MutexGuard, lock, wait};

/// The last event, and the number of sleeping threads.
#[derive(Debug, Default)]
struct Queueing {
    /// The last operation that a turn put into a queue, if it may not be done yet.
    last: Option<Arc<dyn Event>>,
    /// The number of threads that sleep: a wake costs a system call, and mostly no thread sleeps.
    sleepers: u32,
}

/// The order of the transfers of one entry. The crate's README has the argument.
#[derive(Debug, Default)]
pub struct Gate {
    /// The next ticket; written with the lock of the table held.
    next: AtomicU64,
    /// The ticket whose turn it is; written by the thread that has the turn.
    serving: AtomicU64,
    queueing: Mutex<Queueing>,
    /// Whether the construct that made the entry has not yet brought all data; set with the lock of
    /// the table held, cleared by that construct.
    is_filling: AtomicBool,
    /// A turn or the filling ended.
    changed: Condvar,
}

impl Gate {
    /// Whether every transfer that got a ticket is done. The caller holds the lock of the table, so
    /// that no ticket is given meanwhile.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        // Relaxed: the mutex, which the turn's end held, orders its transfer before (I3).
        if self.serving.load(Relaxed) != self.next.load(Relaxed) {
            return false;
        }
        let mut queueing = lock(&self.queueing);
        if queueing.last.as_ref().is_some_and(|event| event.has_happened()) {
            queueing.last = None;
        }
        queueing.last.is_none()
    }

    /// A construct begins to bring the data. The caller holds the lock of the table.
    pub(super) fn begin_filling(&self) {
        self.is_filling.store(true, Relaxed);
    }

    /// Whether a construct brings the data.
    #[must_use]
    pub fn is_filling(&self) -> bool {
        // Acquire: with the Release of the filling's end, whose transfers happened before.
        self.is_filling.load(Acquire)
    }

    /// The construct has brought the data, or will have brought them when the last event of a turn
    /// happens: each turn's operations follow those of the turns before it, and a turn of another
    /// construct may have followed this construct's.
    pub fn end_filling(&self) {
        let queueing = lock(&self.queueing);
        // Release: with the Acquire of `is_filling`.
        self.is_filling.store(false, Release);
        self.wake(queueing);
    }

    /// Waits until a construct has brought the data; returns the operation to follow. The caller
    /// fills no entry, has no turn, and holds no lock.
    #[must_use]
    pub fn wait_until_filled(&self) -> Option<Arc<dyn Event>> {
        self.sleep_until(|| !self.is_filling.load(Acquire)).last.clone()
    }

    /// Sleeps until `is_over` returns true; its answer changes only with the mutex held.
    fn sleep_until(&self, is_over: impl Fn() -> bool) -> MutexGuard<'_, Queueing> {
        let mut queueing = lock(&self.queueing);
        while !is_over() {
            queueing.sleepers += 1;
            queueing = wait(&self.changed, queueing);
            queueing.sleepers -= 1;
        }
        queueing
    }

    /// Wakes the threads that sleep; the caller has changed something with the mutex held.
    fn wake(&self, queueing: MutexGuard<'_, Queueing>) {
        let is_awaited = queueing.sleepers > 0;
        drop(queueing);
        if is_awaited {
            self.changed.notify_all();
        }
    }

    /// Gives the next ticket. The caller holds the lock of the table.
    fn take(&self) -> u64 {
        let ticket = self.next.load(Relaxed);
        self.next.store(ticket + 1, Relaxed);
        ticket
    }

    fn wait_for_turn(&self, ticket: u64) {
        if self.serving.load(Acquire) != ticket {
            drop(self.sleep_until(|| self.serving.load(Acquire) == ticket));
        }
    }
}

/// The right to a turn at an entry's gate. Dropped unused, it waits for its turn and passes it on.
#[derive(Debug)]
pub struct Ticket {
    shared: Arc<Shared>,
    number: u64,
    is_used: bool,
}

impl Ticket {
    /// The next ticket of the entry. The caller holds the lock of the table.
    pub(super) fn take(shared: &Arc<Shared>) -> Self {
        Self { number: shared.gate.take(), shared: shared.clone(), is_used: false }
    }

    /// Waits for the turn. The caller has no other turn, and holds no lock.
    #[must_use]
    pub fn enter(mut self) -> Turn {
        self.is_used = true;
        self.shared.gate.wait_for_turn(self.number);
        Turn { shared: self.shared.clone() }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.is_used {
            self.shared.gate.wait_for_turn(self.number);
            drop(Turn { shared: self.shared.clone() });
        }
    }
}

/// A turn at an entry's gate; its drop is its end.
#[derive(Debug)]
pub struct Turn {
    shared: Arc<Shared>,
}

impl Turn {
    /// What the entry's transfers share.
    #[must_use]
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The operation that the turn's operations must follow.
    #[must_use]
    pub fn previous(&self) -> Option<Arc<dyn Event>> {
        lock(&self.shared.gate.queueing).last.clone()
    }

    /// The operations of the turn are done when `event` happens; with `None` they are done already.
    pub fn leave(self, event: Option<Arc<dyn Event>>) {
        if event.is_some() {
            lock(&self.shared.gate.queueing).last = event;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let gate = &self.shared.gate;
        // With the mutex held: a thread that has found another's turn sleeps and is counted, or has
        // yet to look (I2).
        let queueing = lock(&gate.queueing);
        // Release: with the Acquire of the next turn and of `is_idle`.
        gate.serving.fetch_add(1, Release);
        gate.wake(queueing);
    }
}
