//! The target tasks of a team whose work goes on.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU32, AtomicU64};
use std::collections::VecDeque;

use oxomp_protocol::lock::Guarded;

use super::queued::Queued;
use crate::os;

/// The target tasks, `T`, of a team whose bodies are over, and whose work is not; the first was asked
/// about longest ago.
#[derive(Debug)]
pub(in crate::task) struct OnDevice<T: 'static> {
    /// How many there are; a hint to those who do not hold the lock.
    pub(in crate::task) length: AtomicU32,
    /// When a busy thread may ask next.
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
        // Relaxed, as everywhere here: the lock orders; who misses one looks again.
        self.length.load(Relaxed) == 0
    }

    /// Whether a thread that could run a task should ask first.
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

    /// In the child of a fork(2): another thread may have had the lock.
    pub(in crate::task) fn forget(&self) {
        self.tasks.forget(VecDeque::new());
        self.length.store(0, Relaxed);
    }
}
