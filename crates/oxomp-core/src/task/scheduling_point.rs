//! Marks for the threads of a team that execute tasks which other threads may have generated. A
//! generating thread that waits for progress reads the marks (`throttle`).

use super::OwnBench;
use crate::block::Thread;

/// The stay of a thread at a task scheduling point. The end restores the previous mark, since a
/// thread that has waited inside a task goes on with that task.
pub(super) struct SchedulingPoint {
    /// The state of the thread's member, which has the mark. `None` in a team of one thread, where
    /// no thread reads marks.
    bench: Option<OwnBench<'static>>,
    /// The previous mark.
    before: i32,
    /// The kernel's id of the thread: its mark while it has a task.
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
            before: bench.executor().unwrap_or(0),
            lwp: thread.lwp(),
        }
    }

    /// Marks the thread before it looks for a task: so a thread that loses its processor between
    /// finding and executing a task does not count as one without a task.
    #[inline(always)]
    pub(super) fn look(&self) {
        self.set(self.lwp);
    }

    /// Clears the mark: the thread has found no task.
    #[inline(always)]
    pub(super) fn rest(&self) {
        self.set(0);
    }

    #[inline(always)]
    fn set(&self, lwp: i32) {
        if let Some(bench) = self.bench {
            bench.set_executor(lwp);
        }
    }
}

impl Drop for SchedulingPoint {
    #[inline(always)]
    fn drop(&mut self) {
        self.set(self.before);
    }
}
