//! An entry of a queue, which the holder of the queue's lock owns.

/// A task in a queue of its team: the thread that takes it out owns it.
#[derive(Debug)]
pub(super) struct Queued<T: 'static>(&'static T);

// SAFETY: the thread that queues a task does not access it any more (`Task`, Invariant 2).
unsafe impl<T> Send for Queued<T> {}

impl<T> Queued<T> {
    /// The calling thread gives up the task.
    pub(super) fn of(task: &'static T) -> Self {
        Queued(task)
    }

    /// The task, for the holder of the queue's lock.
    pub(super) fn task(&self) -> &'static T {
        self.0
    }
}
