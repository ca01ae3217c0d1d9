//! The completion of a task: its dependences are released, it is counted out, and its block is
//! freed.

use core::mem::offset_of;
use core::ptr;

use oxomp_protocol::task::{Children, Complete, Lineage, retire};
use oxomp_sys::kmpc::kmp_task_t;

use super::state::blocks::Blocks;
use super::{Properties, Task, depend};
use crate::block::{Shared, Team, Thread};

/// Completes the task: releases its dependences, and counts the task out of its taskgroup, its
/// parent and its team. `thread` is the calling thread, if the runtime knows it; the thread need
/// not belong to the task's team. `prior` is the suspended task on top of which the thread has just
/// executed this one, if it did.
#[inline(always)]
pub(super) fn complete(
    thread: Option<&'static Thread>,
    task: &'static Task,
    prior: Option<&'static Task>,
) {
    task.forget_children();
    let properties = task.properties.get();
    // The tasks that the thread makes ready by the end of a task that it has just executed descend
    // from the current task, so the thread's deque stays in order (README.md, Which thread runs
    // which task). But a thread may fulfil an event, or poll the work of a target task, on top of
    // any task of the team.
    let is_in_order = prior.is_some() && !properties.intersects(Properties::TARGET);
    depend::release(thread.filter(|_| is_in_order), task);
    let team = task.team();
    let is_counted = properties.intersects(Properties::COUNTED);
    if is_counted && let Some(group) = task.taskgroup.get() {
        group.tasks.leave(thread);
    }
    // SAFETY: the calling thread has executed or discarded the task, or is the side of a detachable
    // task that is done last, and completes the task here. `COUNTED` says that the parent has added
    // the task (`generate::count_in`). Every task has it that is queued or detachable, or whose
    // device work outlives its body. Any other task is executed by its generating task, on top of
    // itself: so `prior` is the parent.
    let complete = unsafe { Complete::of(task.shared(), is_counted, prior.map(Task::owned)) };
    retire(thread, complete);
    if is_counted {
        count_complete(thread, team, properties);
    }
}

/// Counts a completed task out of its team.
#[inline(always)]
fn count_complete(thread: Option<&'static Thread>, team: &Team, properties: Properties) {
    if !properties.intersects(Properties::DETACHABLE)
        && let Some(thread) = thread
        && team.size() != 1
    {
        thread.implicit_task().member_tasks().count_complete();
    } else {
        team.settle();
    }
}

/// Completes a task for which its generating task has waited, and on which no other task depends.
#[inline(always)]
pub(super) fn retire_included(thread: &'static Thread, task: &'static Task, prior: &'static Task) {
    task.forget_children();
    // SAFETY: the calling thread has executed or discarded the task, which no other thread knows,
    // on top of the generating task, which is `prior`.
    let complete = unsafe { Complete::of(task.shared(), false, Some(prior.owned())) };
    retire(Some(thread), complete);
}

/// Destroys the private data of a task whose last part is over.
#[cold]
pub(super) fn destroy_data(thread: &Thread, task: &Task) {
    let data = task.data();
    // SAFETY: the compiler stored its function at this offset (`Properties::DESTRUCTORS`).
    unsafe {
        let destructors = *data.byte_add(offset_of!(kmp_task_t, destructors)).cast();
        let exit_frame = task.ompt.frame.exit.as_ptr();
        oxomp_arch::call_task(destructors, thread.number() as i32, data, exit_frame);
    }
    task.ompt.frame.exit.set(ptr::null_mut());
}

/// Frees a task that was not executed and is in no count.
pub fn discard(thread: &'static Thread, task: &'static Task) {
    if task.has(Properties::DESTRUCTORS) {
        destroy_data(thread, task);
    }
    free(Some(thread), task);
}

#[inline(always)]
fn free(thread: Option<&'static Thread>, task: &'static Task) {
    Blocks::free(task, thread.map(|thread| &thread.spares.blocks));
}

// SAFETY: the counts lie in the task's block, and the address of the block identifies the task. A
// `&Task` belongs to the thread that owns the task, and with it the counts (`Task`, Invariant 2).
unsafe impl Lineage for Shared<Task> {
    type Thread = Thread;

    #[inline(always)]
    fn children(self) -> &'static Children {
        Shared::<Task>::children(self)
    }

    #[inline(always)]
    fn parent(self) -> Self {
        self.generating()
    }

    #[inline(always)]
    fn is(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn is_kept(self) -> bool {
        self.has(Properties::IMPLICIT)
    }

    #[inline(always)]
    unsafe fn free(self, here: Option<&'static Thread>) {
        // SAFETY: the task is complete and all its children are gone (`# Safety`), so no other
        // thread refers to the task, and the calling thread owns it.
        free(here, unsafe { self.own() });
    }
}
