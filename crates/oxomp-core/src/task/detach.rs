//! The detach clause (OpenMP 5.2 §12.5.2): a task that is complete when its body is over and its
//! event is fulfilled, in either order. The event's protocol is `oxomp_protocol::task::Event`.

use core::ptr::NonNull;

pub use oxomp_protocol::task::Event;
use oxomp_protocol::task::Fulfilment;

use super::{Properties, Task, execute};
use crate::block::{Shared, Thread};
use crate::ompd::stops;
use crate::ompt::event::{TaskStatus, emit, is_active};

/// `omp_fulfill_event`: on any thread. An event that was fulfilled before stays so: the program's
/// error, without effect. Nor has it an effect in the child of a fork(2) on a task
/// that is lost there.
pub fn fulfill(task: Shared<Task>) {
    if task.is_lost() {
        return;
    }
    let event = task.event();
    let status = match event.fulfil() {
        Fulfilment::Early => TaskStatus::EarlyFulfill,
        Fulfilment::Late => {
            event.await_end(is_active);
            TaskStatus::LateFulfill
        }
        Fulfilment::Again => return,
    };
    emit::task_schedule(task.ompt(), status, None);
    if event.fulfilment_is_done() {
        // SAFETY: the body is over and the event fulfilled, and this side was the second to say so:
        // the task is the calling thread's to complete.
        let task = unsafe { task.own() };
        stops::detached_task_is_complete(task);
        execute::complete(Thread::known(), task, None);
    }
}

impl Task {
    /// The event of a task that is to be generated: with it the task is detachable, also where the
    /// compiler does not say so before (flang 22).
    pub fn detach(&self) -> &Event {
        if !self.has(Properties::DETACHABLE) {
            self.add_property(Properties::DETACHABLE);
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
    pub unsafe fn of_event(event: *const Event) -> Shared<Task> {
        // SAFETY: a field of a task, and blocks are never freed.
        unsafe {
            let task = event.byte_sub(core::mem::offset_of!(Task, event)).cast::<Task>();
            Shared::at(NonNull::new_unchecked(task.cast_mut()))
        }
    }
}
