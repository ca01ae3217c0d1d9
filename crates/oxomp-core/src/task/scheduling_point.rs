//! Which threads of a team execute tasks that others may have made: what a thread that waits for
//! progress asks about (`throttle`).

use super::Workbench;
use crate::block::Thread;

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
            before: bench.executor.lwp().unwrap_or(0),
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
        if let Some(bench) = self.bench {
            bench.executor.set(lwp);
        }
    }
}

impl Drop for SchedulingPoint {
    #[inline(always)]
    fn drop(&mut self) {
        self.set(self.before);
    }
}
