//! How far an implicit task is with the reductions of its team.

use core::cell::Cell;
use core::ffi::c_void;

use oxomp_protocol::tree::Offer;

/// Of an implicit task: its offer to the thread above it in the tree, and whether `end` has a
/// lock to give back.
#[derive(Debug)]
pub(crate) struct ReductionState {
    pub(crate) offer: Offer<c_void>,
    pub(super) has_lock: Cell<bool>,
    /// Reductions with the task modifier that the implicit task has met.
    in_team: Cell<u32>,
}

impl ReductionState {
    pub(crate) fn new() -> Self {
        ReductionState { offer: Offer::new(), has_lock: Cell::new(false), in_team: Cell::new(0) }
    }

    /// Number of the next reduction with the task modifier.
    pub(crate) fn next_in_team(&self) -> u32 {
        let number = self.in_team.get();
        self.in_team.set(number.wrapping_add(1));
        number
    }

    /// Counts on from where another thread of the team is.
    pub(crate) fn follow(&self, other: &Self) {
        self.in_team.set(other.in_team.get());
    }

    /// In the child of a fork(2): the task's thread is gone.
    pub(crate) fn abandon(&self) {
        self.offer.abandon();
        self.has_lock.set(false);
    }
}
