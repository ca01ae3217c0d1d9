//! The detach clause (OpenMP 5.2 §12.5.2): a task that is complete when its body is over and its
//! event is fulfilled, in either order. The event's protocol is `oxomp_protocol::task::Event`.

pub use oxomp_protocol::task::Event;
use oxomp_protocol::task::Fulfilment;

use super::{Task, execute, property};
use crate::ompd;
use crate::ompt::event::{TaskStatus, emit, is_active};
use crate::thread::Thread;

/// `omp_fulfill_event`: on any thread. An event that was fulfilled before stays so: the program's
/// error, without effect. Nor has it an effect in the child of a fork(2) on a task
/// that is lost there.
pub fn fulfill(task: &'static Task) {
    if task.is_lost() {
        return;
    }
    let status = match task.event.fulfil() {
        Fulfilment::Early => TaskStatus::EarlyFulfill,
        Fulfilment::Late => {
            task.event.await_end(is_active);
            TaskStatus::LateFulfill
        }
        Fulfilment::Again => return,
    };
    emit::task_schedule(&task.ompt, status, None);
    if task.event.fulfilment_is_done() {
        ompd::detached_task_is_complete(task);
        execute::complete(Thread::known(), task, None);
    }
}

impl Task {
    /// The event of a task that is to be generated: with it the task is detachable, also where the
    /// compiler does not say so before (flang 22).
    pub fn detach(&self) -> &Event {
        if !self.has(property::DETACHABLE) {
            self.add_property(property::DETACHABLE);
            self.begin_event();
        }
        &self.event
    }

    /// The task that is in the block now has an event.
    pub(super) fn begin_event(&self) {
        self.event.reset();
        self.note_losses();
    }

    /// The task whose event this is.
    ///
    /// # Safety
    /// `event` came from `Task::detach`, of a task whose event was not fulfilled.
    pub unsafe fn of_event(event: *const Event) -> &'static Task {
        // SAFETY: a field of a task, and blocks are never freed.
        unsafe { &*event.byte_sub(core::mem::offset_of!(Task, event)).cast::<Task>() }
    }
}
