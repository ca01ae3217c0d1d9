//! What a place in a team has for tasks: its deque, its tally, and how its thread goes on.

use core::cell::Cell;

use oxomp_protocol::task::{Deque, Tally};

use super::Task;
use super::scheduling_point::Executor;

/// What a place in a team of more than one thread has for tasks. Never freed, as the place is.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Workbench {
    pub(super) deque: Deque<Task>,
    pub(super) tally: Tally,
    /// Whether its thread has a task: asked by others only where they wait in vain.
    pub(super) executor: Executor,
    /// The thread that the last successful steal was from.
    pub(super) victim: Cell<u32>,
    /// Tasks that its thread has moved from the deque into the team's queue since it last found
    /// that empty (`scheduler::publish_own_deque`).
    pub(super) moved: Cell<u32>,
}

// SAFETY: the cells are the place's thread's own; the rest is made for sharing.
unsafe impl Sync for Workbench {}

impl Workbench {
    pub(crate) fn new(thread_num: u32) -> Self {
        Workbench {
            deque: Deque::new(),
            tally: Tally::new(),
            executor: Executor::new(),
            victim: Cell::new(thread_num),
            moved: Cell::new(0),
        }
    }

    /// The team is about to get another size; no region of it runs.
    pub(crate) fn balance(&self) {
        self.tally.balance();
    }

    /// In the child of a fork(2): nobody else is left to run or to make tasks.
    pub(crate) fn forget(&self) {
        self.deque.forget();
        self.tally.forget();
        self.executor.forget();
    }
}
