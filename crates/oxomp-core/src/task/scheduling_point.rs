//! Which threads of a team execute tasks that others may have made: what a thread that waits for
//! progress asks about (`throttle`).

use core::sync::atomic::AtomicI32;
use core::sync::atomic::Ordering::Relaxed;

use super::Workbench;
use crate::thread::Thread;

/// In a `Workbench`: the kernel's id of the place's thread while that looks for tasks of the team or
/// executes one that it has found; 0 while it has found none, and outside task scheduling points.
#[derive(Debug)]
pub(super) struct Executor(AtomicI32);

impl Executor {
    pub(super) const fn new() -> Self {
        Executor(AtomicI32::new(0))
    }

    /// The thread's id, or none while it executes none of the team's queued tasks. By any thread.
    pub(super) fn lwp(&self) -> Option<i32> {
        // Relaxed: a hint; who acts on it loses time or memory only.
        Some(self.0.load(Relaxed)).filter(|lwp| *lwp != 0)
    }

    /// In the child of a fork(2).
    pub(super) fn forget(&self) {
        self.0.store(0, Relaxed);
    }
}

/// The time that a thread spends at a task scheduling point. Afterwards its place says what it said
/// before: a thread that waits in a task goes on with that.
pub(super) struct SchedulingPoint {
    /// None in a team of one, where nobody asks.
    bench: Option<&'static Workbench>,
    before: i32,
    lwp: i32,
}

impl SchedulingPoint {
    #[inline(always)]
    pub(super) fn begin(thread: &Thread) -> Self {
        if thread.team().size() == 1 {
            return SchedulingPoint { bench: None, before: 0, lwp: 0 };
        }
        let bench = thread.implicit_task().workbench();
        SchedulingPoint {
            bench: Some(bench),
            before: bench.executor.0.load(Relaxed),
            lwp: thread.lwp(),
        }
    }

    /// The thread is about to look for a task. Said before, so that a thread that loses its
    /// processor between the look and the task is not taken for one without a task.
    #[inline(always)]
    pub(super) fn look(&self) {
        self.set(self.lwp);
    }

    /// The thread has found no task.
    #[inline(always)]
    pub(super) fn rest(&self) {
        self.set(0);
    }

    #[inline(always)]
    fn set(&self, lwp: i32) {
        if let Some(bench) = self.bench
            && bench.executor.0.load(Relaxed) != lwp
        {
            bench.executor.0.store(lwp, Relaxed);
        }
    }
}

impl Drop for SchedulingPoint {
    #[inline(always)]
    fn drop(&mut self) {
        self.set(self.before);
    }
}
