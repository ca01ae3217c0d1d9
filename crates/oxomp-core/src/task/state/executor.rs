//! Whether the thread of a place in a team executes tasks that others may have made.

use core::sync::atomic::AtomicI32;
use core::sync::atomic::Ordering::Relaxed;

/// In a `Workbench`: the kernel's id of the place's thread while that looks for tasks of the team or
/// executes one that it has found; 0 while it has found none, and outside task scheduling points.
#[derive(Debug)]
pub(in crate::task) struct Executor(AtomicI32);

impl Executor {
    pub(in crate::task) const fn new() -> Self {
        Executor(AtomicI32::new(0))
    }

    /// The thread's id, or none while it executes none of the team's queued tasks. By any thread.
    pub(in crate::task) fn lwp(&self) -> Option<i32> {
        // Relaxed: a hint; who acts on it loses time or memory only.
        Some(self.0.load(Relaxed)).filter(|lwp| *lwp != 0)
    }

    /// Sets the thread's id, or 0. By the place's thread.
    #[inline(always)]
    pub(in crate::task) fn set(&self, lwp: i32) {
        if self.0.load(Relaxed) != lwp {
            self.0.store(lwp, Relaxed);
        }
    }

    /// In the child of a fork(2).
    pub(in crate::task) fn forget(&self) {
        self.0.store(0, Relaxed);
    }
}
