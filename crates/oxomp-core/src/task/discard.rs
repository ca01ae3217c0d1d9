//! The completion of a discarded task: one that has not begun when its region is cancelled. It
//! counts as complete, and the descendants that it would have generated do not exist.

use oxomp_arch::CallSite;
use oxomp_protocol::task::Fulfilment;
use oxomp_sys::ompt::ompt_cancel_flag_t;

use super::{Properties, Task, complete, depend};
use crate::block::Thread;
use crate::cancel::{Construct, begun};
use crate::ompt::event::{emit, is_active};
use crate::race_detector;

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
    let construct = begun::reason(task).unwrap_or(Construct::Taskgroup);
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
