//! An implicit task's state in the reductions of its team.

use core::cell::Cell;
use core::ffi::c_void;

use oxomp_protocol::Alone;
use oxomp_protocol::tree::Offer;

/// An implicit task's state in reductions: its offer to its parent in the combining tree, and
/// whether `end` has to release the lock.
#[derive(Debug)]
pub(crate) struct ReductionState {
    pub(crate) offer: Offer<c_void>,
    pub(crate) has_lock: Cell<bool>,
    /// The number of reductions with the task modifier that the implicit task has encountered.
    in_team: Cell<u32>,
}

impl ReductionState {
    pub(crate) fn new() -> Self {
        ReductionState { offer: Offer::new(), has_lock: Cell::new(false), in_team: Cell::new(0) }
    }

    /// The number of the next reduction with the task modifier, which this call counts.
    pub(crate) fn next_in_team(&self) -> u32 {
        let number = self.in_team.get();
        self.in_team.set(number.wrapping_add(1));
        number
    }

    /// Sets the count to that of another thread of the team.
    pub(crate) fn follow(&self, other: &Self) {
        self.in_team.set(other.in_team.get());
    }

    /// In the child of a fork(2): resets the state of a task whose thread is gone.
    pub(crate) fn abandon(&self, alone: &Alone) {
        self.offer.abandon(alone);
        self.has_lock.set(false);
    }
}
