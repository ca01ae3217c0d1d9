//! Marks for the threads of a team that execute tasks which other threads may have generated. A
//! generating thread that waits for progress reads the marks (`throttle`).

use super::OwnMemberTasks;
use crate::block::Thread;

/// The stay of a thread at a task scheduling point. The end restores the previous mark, since a
/// thread that has waited inside a task goes on with that task.
pub(super) struct SchedulingPoint {
    /// The state of the thread's member, which has the mark. `None` in a team of one thread, where
    /// no thread reads marks.
    tasks: Option<OwnMemberTasks<'static>>,
    /// The previous mark.
    before: i32,
    /// The kernel's id of the thread: its mark while it has a task.
    lwp: i32,
}

impl SchedulingPoint {
    #[inline(always)]
    pub(super) fn begin(thread: &Thread) -> Self {
        if thread.team().size() == 1 {
            return SchedulingPoint { tasks: None, before: 0, lwp: 0 };
        }
        let tasks = thread.implicit_task().member_tasks();
        SchedulingPoint {
            tasks: Some(tasks),
            before: tasks.executor().unwrap_or(0),
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
        if let Some(tasks) = self.tasks {
            tasks.set_executor(lwp);
        }
    }
}

impl Drop for SchedulingPoint {
    #[inline(always)]
    fn drop(&mut self) {
        self.set(self.before);
    }
}
