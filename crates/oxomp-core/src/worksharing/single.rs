//! The single construct (OpenMP 5.2 §11.1): who executes the block.

use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

use crate::thread::Thread;

/// How far an implicit task is with the singles of its team. The task's alone.
#[derive(Debug)]
pub(crate) struct SingleState {
    /// Singles met.
    met: Cell<u32>,
    /// Singles of the team that had found their thread when the task last looked: of those it need
    /// not ask again, which spares a thread that is behind, and the one before it, the shared line.
    known_found: Cell<u32>,
}

impl SingleState {
    pub(crate) fn new() -> Self {
        SingleState { met: Cell::new(0), known_found: Cell::new(0) }
    }

    /// Goes on from where another task of the team is.
    pub(crate) fn follow(&self, other: &SingleState) {
        self.catch_up(other.met.get());
    }

    /// Goes on from where all singles are met of which `found` have found their thread.
    pub(crate) fn catch_up(&self, found: u32) {
        self.met.set(found);
        self.known_found.set(found);
    }
}

/// Whether the calling thread executes the block of the `single` that it encounters: the first of the
/// team that gets there does.
///
/// Every thread counts the singles that it has met, the team those that have found their thread; the
/// team's count is never behind anybody's by more than the single at hand.
#[inline(always)]
pub fn single(thread: &Thread) -> bool {
    let task = thread.implicit_task();
    let team = task.team();
    if team.size() == 1 {
        return true;
    }
    let state = &task.singles;
    let met = state.met.get();
    let next = met.wrapping_add(1);
    state.met.set(next);
    if state.known_found.get().wrapping_sub(met).cast_signed() > 0 {
        return false;
    }
    // Relaxed: it decides who, it publishes nothing; the barrier does.
    match team.single.0.compare_exchange(met, next, Relaxed, Relaxed) {
        Ok(_) => true,
        Err(found) => {
            state.known_found.set(found);
            false
        }
    }
}
