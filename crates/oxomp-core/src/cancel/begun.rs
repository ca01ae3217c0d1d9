//! The tasks of a cancelled region: which of them have begun, so that threads that leave the region
//! wait for them, and which are discarded.

use oxomp_base::settings;

use super::state::Construct;
use crate::block::Thread;
use crate::task::{Properties, Task};

/// Whether the task, which a thread is about to execute while its generating task waits, is
/// discarded instead.
///
/// Threads that leave the region need not wait for such a task (`begins`): its generating task has
/// begun, or is an implicit task that has not left.
#[inline(always)]
pub(crate) fn is_discarded(task: &Task) -> bool {
    settings::is_cancellable() && reason(task).is_some()
}

/// Whether the task, which the thread has taken out of its queue, is discarded instead of being
/// executed or resumed.
#[inline(always)]
pub(crate) fn is_discarded_from_queue(thread: &Thread, task: &Task) -> bool {
    settings::is_cancellable() && !begins(thread, task)
}

/// The construct whose cancellation discards the task, which a thread is about to execute: a
/// taskgroup around it, or its parallel region. A task with copies of objects that only its body
/// destroys is not discarded.
#[cold]
pub(crate) fn reason(task: &Task) -> Option<Construct> {
    if task.has(Properties::NOT_DISCARDED) { None } else { around(task) }
}

/// Whether the task begins or has begun. If it begins, threads that leave the region wait for it
/// from now on (`Begun`).
#[cold]
fn begins(thread: &Thread, task: &Task) -> bool {
    if task.has(Properties::NOT_DISCARDED | Properties::BEGUN_IN_REGION) {
        return true;
    }
    if task.team().size() == 1 {
        return around(task).is_none();
    }
    let tasks = thread.implicit_task().member_tasks();
    let begins = tasks.begin_unless(|| around(task).is_some());
    if begins {
        task.add_property(Properties::BEGUN_IN_REGION);
    }
    begins
}

/// A task that is executed even if its region is cancelled has been generated: threads that leave
/// the region wait for it from now on.
pub(crate) fn begin_when_made(thread: &Thread, task: &Task) {
    if settings::is_cancellable() && task.team().size() != 1 {
        thread.implicit_task().member_tasks().count_begun();
        task.add_property(Properties::BEGUN_IN_REGION);
    }
}

/// The body of the task is over: threads that leave the region no longer wait for it.
#[cold]
pub(crate) fn end_begun(thread: &Thread, task: &Task) {
    // In the child of a fork(2) the team has one thread, which waits for no task of others.
    if task.team().size() != 1 {
        thread.implicit_task().member_tasks().count_over();
    }
}

/// The cancelled construct around the task.
fn around(task: &Task) -> Option<Construct> {
    if task.is_in_cancelled_taskgroup() {
        return Some(Construct::Taskgroup);
    }
    task.team().is_cancelled().then_some(Construct::Parallel)
}

/// Whether a task that the current task generates now would be discarded. Then a caller that would
/// copy objects of the program for the task may do without it (GOMP): the code that destroys the
/// copies is in the body.
#[inline(always)]
pub fn discards_children(thread: &Thread) -> bool {
    settings::is_cancellable() && around(thread.task()).is_some()
}
