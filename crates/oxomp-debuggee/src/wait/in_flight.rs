//! Explicit tasks that are not complete: where each of them is.

use crate::{Task, Thread};

/// An explicit task that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskInFlight {
    /// The task.
    pub task: Task,
    /// How far it is.
    pub progress: Progress,
}

/// How far an explicit task is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A task that is being generated, and that no other thread knows yet; or an undeferred one
    /// that waits for its predecessors, if there are any.
    Generated {
        /// The unfinished tasks that it waits for.
        predecessors: Vec<Task>,
    },
    /// A thread executes the task, or has left it for another one.
    Executed {
        /// The thread.
        thread: Thread,
        /// It is the thread's current task.
        is_current: bool,
    },
    /// The task waits in a queue for a thread.
    Ready,
    /// The task waits for unfinished tasks by its depend clause.
    Blocked {
        /// These tasks, as far as they are known.
        predecessors: Vec<Task>,
    },
    /// The code of the task is over, and no thread has fulfilled its event
    /// (`omp_fulfill_event`).
    AwaitsEvent {
        /// The event, `omp_event_handle_t`.
        event: u64,
    },
    /// The work of a target task on a device is not done.
    OnDevice,
}
