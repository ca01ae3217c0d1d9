//! A task that is in a queue.

use super::Task;

/// A task in a queue of its team: the thread that takes it out has it.
#[derive(Debug)]
pub(super) struct Queued(&'static Task);

// SAFETY: the thread that queues a task touches it no more (`Task`, Invariant 2).
unsafe impl Send for Queued {}

impl Queued {
    /// The calling thread gives the task away.
    pub(super) fn of(task: &'static Task) -> Self {
        Queued(task)
    }

    /// The task, for the holder of the queue's lock.
    pub(super) fn task(&self) -> &'static Task {
        self.0
    }
}
