//! Tasks that any thread of a team takes before others: those with a priority, and those that became
//! ready where no deque of the team was at hand.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::VecDeque;

use super::Task;
use crate::mutex::Guarded;

/// The queue of a team; highest priority first, of equal ones the oldest.
#[derive(Debug)]
pub(crate) struct Queue {
    /// How many there are; a hint to those who do not hold the lock.
    length: AtomicU32,
    tasks: Guarded<VecDeque<&'static Task>>,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Queue { length: AtomicU32::new(0), tasks: Guarded::new(VecDeque::new()) }
    }

    #[inline(always)]
    pub(super) fn looks_empty(&self) -> bool {
        // Relaxed: the lock orders; who misses one looks again.
        self.length.load(Relaxed) == 0
    }

    pub(super) fn push(&self, task: &'static Task) {
        self.tasks.with(|tasks| {
            let priority = task.priority.get();
            // Without a priority the youngest is first, as in a deque.
            let at = tasks.partition_point(|other| {
                let other = other.priority.get();
                other > priority || other == priority && priority != 0
            });
            tasks.insert(at, task);
            self.length.store(tasks.len() as u32, Relaxed);
        });
    }

    /// Takes the first task that `suits`.
    #[cold]
    pub(super) fn take(&self, suits: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        self.tasks.with(|tasks| {
            let at = tasks.iter().position(|task| suits(task))?;
            let task = tasks.remove(at);
            self.length.store(tasks.len() as u32, Relaxed);
            task
        })
    }

    /// In the child of a fork(2): another thread may have had the lock.
    pub(super) fn forget(&self) {
        self.tasks.forget(VecDeque::new());
        self.length.store(0, Relaxed);
    }
}
