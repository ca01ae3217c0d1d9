//! Switches between tasks (the 2015 report §3.2.2).

use core::ptr;

use super::callbacks::{call, registered};
use super::{number, wait};
use crate::ompt::event::{TaskRecord, TaskStatus, flags};

/// Whether the report has the events `task_begin` and `task_end` of the task: it has other events
/// for a target task, and no event for the task that waits in a taskwait with dependences.
pub(super) fn is_explicit(task: &TaskRecord) -> bool {
    task.flags.get() & flags::TASK_EXPLICIT != 0
}

/// Whether the task is that of a target construct.
pub(super) fn is_target(task: &TaskRecord) -> bool {
    task.flags.get() & flags::TASK_TARGET != 0
}

/// The task is complete. The calling thread may have discarded it, or fulfilled its event, in the
/// wait of another task.
pub(super) fn end(task: &TaskRecord) {
    let id = number::of_task(task);
    if is_target(task) {
        wait::interrupted(|| call!(target_task_end(id)));
    } else if is_explicit(task) {
        wait::interrupted(|| call!(task_end(id)));
    }
}

/// The thread has gone from the task `prior` to `next`.
pub(super) fn deliver(prior: &TaskRecord, status: TaskStatus, next: &TaskRecord) {
    if ptr::eq(prior, next) || is_taskwait(prior) || is_taskwait(next) {
        return;
    }
    let is_over = matches!(status, TaskStatus::Complete | TaskStatus::Cancel);
    let suspended = if is_over { 0 } else { number::of_task(prior) };
    call!(task_switch(suspended, number::of_task(next)));
    wait::resume(next);
}

/// Whether the task waits in a taskwait with dependences.
pub(super) fn is_taskwait(task: &TaskRecord) -> bool {
    task.flags.get() & flags::TASK_TASKWAIT != 0
}
