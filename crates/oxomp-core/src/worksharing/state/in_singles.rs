//! The `single` regions that an implicit task has encountered.

use core::cell::Cell;

/// An implicit task's progress in the `single` regions of its team. Only the task's thread accesses
/// it.
#[derive(Debug)]
pub(crate) struct SingleState {
    /// The number of `single` regions that the task has encountered.
    pub(in crate::worksharing) met: Cell<u32>,
    /// The number of `single` regions that threads of the team had taken when the task last read
    /// the team's count. The task needs no further read for these, which saves a thread that is
    /// behind, and the one ahead of it, an access of the shared cache line.
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

    /// Sets the progress to that of another task of the team.
    pub(crate) fn follow(&self, other: &SingleState) {
        self.catch_up(other.met.get());
    }

    /// Sets the progress to a task that has encountered all of the `found` regions that were taken.
    pub(crate) fn catch_up(&self, found: u32) {
        self.met.set(found);
        self.known_found.set(found);
    }
}
