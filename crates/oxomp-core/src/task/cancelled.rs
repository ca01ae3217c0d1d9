//! Tasks of cancelled regions (OpenMP 5.2 §11.2): a task that has not begun is discarded, together
//! with its descendants that it would have generated.

use core::ptr;

use oxomp_protocol::task::Fulfilment;
use oxomp_sys::ompt::ompt_cancel_flag_t;

use super::{Properties, Task, Taskgroup, depend, execute};
use crate::arch::CallSite;
use crate::block::{ImplicitTask, Team, Thread};
use crate::cancel::Construct;
use crate::ompt::event::{emit, is_active};
use crate::race_detector;
use crate::settings;

/// Whether the task, which a thread is about to execute, is discarded instead.
#[inline(always)]
pub(super) fn is_discarded(task: &Task) -> bool {
    settings::is_cancellable() && reason(task).is_some()
}

/// The construct whose cancellation discards the task, which a thread is about to execute: any
/// taskgroup that the task is in, or its parallel region. A task that has begun is not discarded,
/// nor one with copies of objects that only its body destroys.
#[cold]
fn reason(task: &Task) -> Option<Construct> {
    if task.has(Properties::NOT_DISCARDED) {
        return None;
    }
    let around = around(task);
    if around.is_none() && task.is_untied() {
        // Its later parts come here as well.
        task.add_property(Properties::NOT_DISCARDED);
    }
    around
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

/// Whether a task that the current task generates now would be discarded. A caller may do without
/// the task then, for which it would copy objects of the program (GOMP): the code that destroys the
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
        execute::complete(Some(thread), task, Some(thread.task()));
    }
}

/// Fulfils the event of a task that is discarded, unless another thread has: the task that would do
/// so may be discarded too. The block is kept then, for a late call that fulfils the event.
fn fulfil_for_others(task: &Task) {
    if task.event.fulfil() != Fulfilment::Again {
        // As if the task had a child that is never gone.
        task.children.add();
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
    execute::retire_included(thread, task, thread.task());
}

/// Tells the tool, and destroys the task's private data.
fn let_go(thread: &'static Thread, task: &'static Task) {
    let construct = reason(task).unwrap_or(Construct::Taskgroup);
    let flags = construct.flag() | ompt_cancel_flag_t::DISCARDED_TASK.0;
    depend::before_completion(task);
    emit::cancel(&task.ompt, flags, CallSite::none());
    emit::task_end(&task.ompt);
    if task.has(Properties::DESTRUCTORS) {
        execute::destroy_data(thread, task);
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
