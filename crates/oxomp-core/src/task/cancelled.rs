//! Tasks of cancelled regions (OpenMP 5.2 §11.2): a task that has not begun is discarded, together
//! with its descendants that it would have generated.

use core::ptr;

use oxomp_base::settings;
use oxomp_protocol::task::Fulfilment;
use oxomp_sys::ompt::ompt_cancel_flag_t;

use super::{Properties, Task, Taskgroup, complete, depend};
use crate::arch::CallSite;
use crate::block::{ImplicitTask, Team, Thread};
use crate::cancel::Construct;
use crate::ompt::event::{emit, is_active};
use crate::race_detector;

/// Whether the task, which a thread is about to execute while its generating task waits, is
/// discarded instead.
///
/// Threads that leave the region need not wait for such a task (`begins`): its generating task has
/// begun, or is an implicit task that has not left.
#[inline(always)]
pub(super) fn is_discarded(task: &Task) -> bool {
    settings::is_cancellable() && reason(task).is_some()
}

/// Whether the task, which the thread has taken out of its queue, is discarded instead of being
/// executed or resumed.
#[inline(always)]
pub(super) fn is_discarded_from_queue(thread: &Thread, task: &Task) -> bool {
    settings::is_cancellable() && !begins(thread, task)
}

/// The construct whose cancellation discards the task, which a thread is about to execute: a
/// taskgroup around it, or its parallel region. A task with copies of objects that only its body
/// destroys is not discarded.
#[cold]
fn reason(task: &Task) -> Option<Construct> {
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
    let bench = thread.implicit_task().workbench();
    bench.count_begun();
    let begins = around(task).is_none();
    if begins {
        task.add_property(Properties::BEGUN_IN_REGION);
    } else {
        bench.count_over();
    }
    begins
}

/// A task that is executed even if its region is cancelled has been generated: threads that leave
/// the region wait for it from now on.
pub(super) fn begin_when_made(thread: &Thread, task: &Task) {
    if settings::is_cancellable() && task.team().size() != 1 {
        thread.implicit_task().workbench().count_begun();
        task.add_property(Properties::BEGUN_IN_REGION);
    }
}

/// The body of the task is over: threads that leave the region no longer wait for it.
#[cold]
pub(super) fn end_begun(thread: &Thread, task: &Task) {
    // In the child of a fork(2) the team has one thread, which waits for no task of others.
    if task.team().size() != 1 {
        thread.implicit_task().workbench().count_over();
    }
}

/// The cancelled construct around the task.
fn around(task: &Task) -> Option<Construct> {
    let mut next = task.taskgroup.get();
    while let Some(group) = next {
        if group.is_cancelled() {
            return Some(Construct::Taskgroup);
        }
        next = group.outer();
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

/// Discards a task that a thread was about to execute, which other threads may wait for.
#[cold]
#[inline(never)]
pub(super) fn discard(thread: &'static Thread, task: &'static Task) {
    let has_event = task.has(Properties::DETACHABLE);
    if has_event {
        fulfil_for_others(task);
    }
    let_go(thread, task);
    if !has_event || task.event.end_is_done() {
        complete::complete(Some(thread), task, Some(thread.task()));
    }
}

/// Fulfils the event of a task that is discarded, unless another thread has: the task that would do
/// so may be discarded too. A later call of the program has no effect, also when the block is
/// another task's (`EventHandle`).
fn fulfil_for_others(task: &Task) {
    if task.event.fulfil(task.event.serial()) != Fulfilment::Again {
        task.event.fulfilment_is_done();
    }
    task.event.body_is_over();
    // Another thread that has fulfilled the event reports that before the task is discarded.
    task.event.await_fulfilment(is_active);
}

/// Discards a task that its generating task was about to execute, and that is in no count.
#[cold]
#[inline(never)]
pub(super) fn discard_included(thread: &'static Thread, task: &'static Task) {
    let_go(thread, task);
    complete::retire_included(thread, task, thread.task());
}

/// Tells the tool, and destroys the task's private data.
fn let_go(thread: &'static Thread, task: &'static Task) {
    let construct = reason(task).unwrap_or(Construct::Taskgroup);
    let flags = construct.flag() | ompt_cancel_flag_t::DISCARDED_TASK.0;
    depend::before_completion(task);
    emit::cancel(&task.ompt, flags, CallSite::none());
    emit::task_end(&task.ompt);
    if task.has(Properties::DESTRUCTORS) {
        complete::destroy_data(thread, task);
    }
    if is_active() {
        race_detector::leave(task.payload());
    }
}

/// The implicit task of `member` has left a cancelled region without the ends of its taskgroups:
/// ends them. The calling thread, which is the region's primary thread, keeps their memory.
pub(crate) fn leave_taskgroups(thread: &'static Thread, member: &ImplicitTask) {
    let outermost = member.team().taskgroup();
    let is_outermost =
        |group: &'static Taskgroup| outermost.is_some_and(|outermost| ptr::eq(outermost, group));
    while let Some(group) = member.taskgroup.get()
        && !is_outermost(group)
    {
        if let Some(reductions) = group.reductions.take() {
            reductions.abandon(thread);
        }
        member.taskgroup.set(group.outer());
        thread.spares.keep_taskgroup(group);
    }
}

/// After a cancelled region of `team`: frees the copies of reductions that not all of its threads
/// have encountered.
pub(crate) fn drop_shared_copies(thread: &'static Thread, team: &Team) {
    team.tasking.drop_shared_copies(|copies| {
        // SAFETY: the region is over, and only its tasks used the copies.
        unsafe { copies.free(thread) };
    });
}
