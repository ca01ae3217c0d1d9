//! Switches between tasks (the 2015 report §3.2.2).

use core::ptr;

use super::callbacks::{call, registered};
use super::{number, wait};
use crate::ompt::event::{TaskRecord, TaskStatus, flags};

/// Whether the report has events for the begin and the end of the task: it has other ones for a
/// target task, and none for the task that waits in a taskwait with dependences.
pub(super) fn is_explicit(task: &TaskRecord) -> bool {
    let flags = task.flags.get();
    flags & flags::TASK_EXPLICIT != 0 && flags & (flags::TASK_TARGET | flags::TASK_TASKWAIT) == 0
}

/// The thread has gone from the task `prior` to `next`.
pub(super) fn deliver(prior: &TaskRecord, status: TaskStatus, next: &TaskRecord) {
    if ptr::eq(prior, next) || [prior, next].into_iter().any(is_taskwait) {
        return;
    }
    let is_over = matches!(status, TaskStatus::Complete | TaskStatus::Cancel);
    let suspended = if is_over { 0 } else { number::of_task(prior) };
    call!(task_switch(suspended, number::of_task(next)));
    wait::resume(next);
}

fn is_taskwait(task: &TaskRecord) -> bool {
    task.flags.get() & flags::TASK_TASKWAIT != 0
}
