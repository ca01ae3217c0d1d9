//! Ordered regions of a loop: one at a time, in the order of the iterations (OpenMP 5.2 §15.10).

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Release};

use super::ring::LoopSlot;
use super::schedule::Chunk;
use super::shared_loop::LoopState;
use crate::arch::CallSite;
use crate::diag;
use crate::ompt::event::{EnterFrame, MutexKind, State, emit};
use crate::sync::look_until;
use crate::team::Team;
use crate::thread::Thread;

/// Where a thread is in its chunk of an ordered loop.
///
/// The team shares one number: the iteration whose turn it is. A thread whose chunk begins with it
/// has the turn until it has done with the chunk; it gives the turn on at the end of the chunk's last
/// ordered region, or, if iterations passed without one, when it asks for its next chunk.
#[derive(Debug)]
pub(super) struct OrderedState {
    start: Cell<u64>,
    iterations: Cell<u64>,
    /// Iterations of the chunk that are over as far as ordered regions go.
    done: Cell<u64>,
    /// The iteration at hand has had its ordered region.
    is_counted: Cell<bool>,
    has_turn: Cell<bool>,
}

impl OrderedState {
    pub(super) fn new() -> Self {
        OrderedState {
            start: Cell::new(0),
            iterations: Cell::new(0),
            done: Cell::new(0),
            is_counted: Cell::new(false),
            has_turn: Cell::new(false),
        }
    }

    /// The thread has no chunk.
    pub(super) fn begin_loop(&self) {
        self.iterations.set(0);
    }

    /// The thread has `chunk` to execute.
    pub(super) fn begin_chunk(&self, chunk: Chunk) {
        self.start.set(chunk.start);
        self.iterations.set(chunk.iterations);
        self.done.set(0);
        self.is_counted.set(false);
        self.has_turn.set(false);
    }

    /// Whether there may be a turn to wait for.
    fn has_chunk(&self) -> bool {
        self.iterations.get() != 0
    }

    fn take_turn(&self, slot: &LoopSlot, team: &Team) {
        // Alone there is nobody to wait for: who had the turn may be gone (fork).
        if !self.has_turn.get() && team.size() != 1 && self.has_chunk() {
            let (mine, patience) = (self.start.get(), team.patience());
            // Acquire: pairs with the Release of who passed the turn on.
            look_until(patience, || slot.turn_of.0.load(Acquire), |turn| turn == mine);
        }
        self.has_turn.set(true);
    }

    /// The chunk is over.
    fn pass_turn(&self, slot: &LoopSlot) {
        let next = self.start.get() + self.iterations.get();
        // Release: the next ordered region sees what this one did; pairs with `take_turn`.
        slot.turn_of.0.store(next, Release);
        self.iterations.set(0);
        self.has_turn.set(false);
    }

    /// One more iteration is over; with the last one the turn goes on.
    fn count_iteration(&self, slot: &LoopSlot) {
        self.done.set(self.done.get() + 1);
        if self.has_turn.get() && self.done.get() == self.iterations.get() {
            self.pass_turn(slot);
        }
    }
}

/// An ordered region has no turn to wait for.
#[cold]
#[inline(never)]
fn out_of_order(state: &LoopState) {
    let why = if state.is_ordered() {
        "the iteration has had its ordered region"
    } else {
        "not in a loop with an ordered clause"
    };
    diag::misuse("ordered", format_args!("{why}"), "it is executed out of order");
}

/// What tools know the loop's turn by: the word that the team shares, or in a team of one the loop.
#[inline(always)]
fn wait_id(state: &LoopState) -> u64 {
    match state.slot() {
        Some(slot) => ptr::from_ref(&slot.turn_of) as u64,
        None => ptr::from_ref(state) as u64,
    }
}

impl Thread {
    /// Enters the ordered region of the current iteration: waits for its turn.
    #[inline(always)]
    pub fn begin_ordered(&self, site: CallSite) {
        let task = self.implicit_task();
        let _frame = EnterFrame::new(&task.ompt, site);
        let state = &task.worksharing;
        emit::mutex_acquire(MutexKind::Ordered, 0, wait_id(state), site);
        if !state.ordered.has_chunk() && task.team().size() != 1 {
            out_of_order(state);
        }
        if let Some(slot) = state.slot() {
            self.ompt.wait_id.set(wait_id(state));
            let before = self.set_state(State::WaitOrdered);
            state.ordered.take_turn(slot, task.team());
            self.set_state(before);
        }
        emit::mutex_acquired(MutexKind::Ordered, wait_id(state), site);
    }

    /// Leaves the ordered region.
    #[inline(always)]
    pub fn end_ordered(&self, site: CallSite) {
        let task = self.implicit_task();
        let _frame = EnterFrame::new(&task.ompt, site);
        let state = &task.worksharing;
        let wait_id = wait_id(state);
        if let Some(slot) = state.slot() {
            state.ordered.count_iteration(slot);
            state.ordered.is_counted.set(true);
        }
        emit::mutex_released(MutexKind::Ordered, wait_id, site);
    }

    /// The current iteration of an ordered loop is over, with or without an ordered region.
    pub fn end_ordered_iteration(&self) {
        let state = &self.implicit_task().worksharing;
        if let Some(slot) = state.slot()
            && !state.ordered.is_counted.replace(false)
        {
            state.ordered.count_iteration(slot);
        }
    }

    /// The current chunk of an ordered loop is over: its turn goes on, after those before it.
    #[cold]
    pub(super) fn end_ordered_chunk(&self) {
        let task = self.implicit_task();
        let state = &task.worksharing;
        if let Some(slot) = state.slot()
            && state.ordered.iterations.get() != 0
        {
            state.ordered.take_turn(slot, task.team());
            state.ordered.pass_turn(slot);
        }
    }
}
