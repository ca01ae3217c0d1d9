//! An entry of a queue that belongs to the holder of its lock.

/// A task in a queue of its team: the thread that takes it out has it.
#[derive(Debug)]
pub(super) struct Queued<T: 'static>(&'static T);

// SAFETY: the thread that queues a task touches it no more (`Task`, Invariant 2).
unsafe impl<T> Send for Queued<T> {}

impl<T> Queued<T> {
    /// The calling thread gives the task away.
    pub(super) fn of(task: &'static T) -> Self {
        Queued(task)
    }

    /// The task, for the holder of the queue's lock.
    pub(super) fn task(&self) -> &'static T {
        self.0
    }
}
