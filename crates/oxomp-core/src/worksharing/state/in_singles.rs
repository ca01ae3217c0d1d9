//! The single constructs that an implicit task has met.

use core::cell::Cell;

/// How far an implicit task is with the singles of its team. The task's alone.
#[derive(Debug)]
pub(crate) struct SingleState {
    /// Singles met.
    pub(in crate::worksharing) met: Cell<u32>,
    /// Singles of the team that had found their thread when the task last looked: of those it need
    /// not ask again, which spares a thread that is behind, and the one before it, the shared line.
    pub(in crate::worksharing) known_found: Cell<u32>,
}

impl SingleState {
    pub(crate) fn new() -> Self {
        SingleState { met: Cell::new(0), known_found: Cell::new(0) }
    }

    /// Singles met.
    pub(crate) fn met(&self) -> u32 {
        self.met.get()
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
