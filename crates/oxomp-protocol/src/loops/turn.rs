//! Ordered loops: which thread has the turn. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::inside::{Inside, inside};
use crate::patience::{Patience, look_until};
use crate::shim::AtomicU64;

/// Where a thread is in its chunk of an ordered loop.
///
/// The threads share one number: the iteration whose turn it is. A thread whose chunk begins with
/// that iteration has the turn until it is done with the chunk; it passes the turn on at the end of
/// the chunk's last ordered region, or, if iterations passed without one, when it asks for its next
/// chunk.
#[derive(Debug)]
pub struct OrderedState {
    start: Cell<u64>,
    iterations: Cell<u64>,
    /// Iterations of the chunk whose ordered regions are over.
    done: Cell<u64>,
    /// The current iteration has had its ordered region.
    is_counted: Cell<bool>,
    has_turn: Cell<bool>,
}

impl OrderedState {
    /// The first iteration of the chunk.
    pub const START: Inside<Self, Cell<u64>> = inside!(start);
    /// The number of iterations of the chunk; 0 for no chunk.
    pub const ITERATIONS: Inside<Self, Cell<u64>> = inside!(iterations);

    /// The state of a thread that is in no loop.
    pub fn new() -> Self {
        OrderedState {
            start: Cell::new(0),
            iterations: Cell::new(0),
            done: Cell::new(0),
            is_counted: Cell::new(false),
            has_turn: Cell::new(false),
        }
    }

    /// The thread begins a loop, and has no chunk yet.
    #[inline]
    pub fn begin_loop(&self) {
        self.iterations.set(0);
    }

    /// The thread has a chunk to execute, from iteration `start` on.
    #[inline]
    pub fn begin_chunk(&self, start: u64, iterations: u64) {
        self.start.set(start);
        self.iterations.set(iterations);
        self.done.set(0);
        self.is_counted.set(false);
        self.has_turn.set(false);
    }

    /// Whether there may be a turn to wait for.
    #[inline]
    pub fn has_chunk(&self) -> bool {
        self.iterations.get() != 0
    }

    /// Whether the thread would wait in `take_turn` now: it has a chunk, and the turn is another's.
    pub fn has_to_wait(&self, turn_of: &AtomicU64, patience: Option<Patience>) -> bool {
        let may_wait = patience.is_some() && !self.has_turn.get() && self.has_chunk();
        // Relaxed: the caller only reports it.
        may_wait && turn_of.load(Relaxed) != self.start.get()
    }

    /// Waits for the turn of the thread's chunk. Without `patience` the thread is alone, and does
    /// not wait: the thread that had the turn may be gone after a fork(2). Neither does it wait if
    /// the work of the group `is_cancelled`: a thread that has ended its work passes no turn on.
    #[inline]
    pub fn take_turn(
        &self,
        turn_of: &AtomicU64,
        patience: Option<Patience>,
        is_cancelled: impl Fn() -> bool,
    ) {
        if let Some(patience) = patience
            && !self.has_turn.get()
            && self.has_chunk()
        {
            let mine = self.start.get();
            // Acquire: pairs with the Release by which the turn was passed on.
            let look = || turn_of.load(Acquire);
            look_until(patience, look, |turn| turn == mine || is_cancelled());
        }
        self.has_turn.set(true);
    }

    /// The chunk is over: passes the turn to the next chunk.
    #[inline]
    fn pass_turn(&self, turn_of: &AtomicU64) {
        let next = self.start.get() + self.iterations.get();
        // Release: the next ordered region sees what this one did; pairs with `take_turn`.
        turn_of.store(next, Release);
        self.iterations.set(0);
        self.has_turn.set(false);
    }

    /// One more iteration is over; after the last one of the chunk, passes the turn on.
    #[inline]
    fn count_iteration(&self, turn_of: &AtomicU64) {
        self.done.set(self.done.get() + 1);
        if self.has_turn.get() && self.done.get() == self.iterations.get() {
            self.pass_turn(turn_of);
        }
    }

    /// The ordered region of the current iteration is over.
    #[inline]
    pub fn end_region(&self, turn_of: &AtomicU64) {
        self.count_iteration(turn_of);
        self.is_counted.set(true);
    }

    /// The current iteration is over, with or without an ordered region.
    #[inline]
    pub fn end_iteration(&self, turn_of: &AtomicU64) {
        if !self.is_counted.replace(false) {
            self.count_iteration(turn_of);
        }
    }

    /// The chunk is over, with or without ordered regions: passes its turn on, as soon as the
    /// chunks before it have passed theirs.
    #[inline]
    pub fn end_chunk(
        &self,
        turn_of: &AtomicU64,
        patience: Option<Patience>,
        is_cancelled: impl Fn() -> bool,
    ) {
        if self.has_chunk() {
            self.take_turn(turn_of, patience, is_cancelled);
            self.pass_turn(turn_of);
        }
    }
}
