//! The target tasks of a team whose work on a device goes on.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU32, AtomicU64};
use std::collections::VecDeque;

use oxomp_base::os;
use oxomp_protocol::Alone;
use oxomp_protocol::lock::Guarded;

use super::queued::Queued;

/// The target tasks, `T`, of a team whose bodies are complete and whose work on a device is not.
/// The first is the one whose work was polled longest ago.
#[derive(Debug)]
pub(in crate::task) struct OnDevice<T: 'static> {
    /// The number of tasks; a hint for threads that do not hold the lock.
    pub(in crate::task) length: AtomicU32,
    /// The time from which a busy thread may poll again.
    pub(in crate::task) next: AtomicU64,
    tasks: Guarded<VecDeque<Queued<T>>>,
}

impl<T> OnDevice<T> {
    pub(in crate::task) fn new() -> Self {
        OnDevice {
            length: AtomicU32::new(0),
            next: AtomicU64::new(0),
            tasks: Guarded::new(VecDeque::new()),
        }
    }

    #[inline(always)]
    pub(in crate::task) fn looks_empty(&self) -> bool {
        // Relaxed, as everywhere in this file: the lock orders the accesses, and a thread that
        // misses a task looks again.
        self.length.load(Relaxed) == 0
    }

    /// Whether a thread that could execute a task should poll the device work first.
    #[inline(always)]
    pub(in crate::task) fn is_due(&self) -> bool {
        !self.looks_empty() && os::monotonic_ns() >= self.next.load(Relaxed)
    }

    pub(in crate::task) fn push(&self, task: &'static T) {
        self.tasks.with(|tasks| {
            tasks.push_back(Queued::of(task));
            self.length.store(tasks.len() as u32, Relaxed);
        });
    }

    pub(in crate::task) fn take(&self) -> Option<&'static T> {
        self.tasks.with(|tasks| {
            let task = tasks.pop_front();
            self.length.store(tasks.len() as u32, Relaxed);
            task.map(|task| task.task())
        })
    }

    /// In the child of a fork(2): drops the list, whose lock a thread that is gone may have held.
    pub(in crate::task) fn forget(&self, alone: &Alone) {
        self.tasks.forget(VecDeque::new(), alone);
        self.length.store(0, Relaxed);
    }
}
