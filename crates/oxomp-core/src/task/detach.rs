//! The detach clause (OpenMP 5.2 §12.5.2): a detachable task is complete when its body is over and
//! its event is fulfilled, in either order. `oxomp_protocol::task::Event` is the event's protocol.

use core::ptr::NonNull;

pub use oxomp_protocol::task::Event;
use oxomp_protocol::task::Fulfilment;

use super::{Properties, Task, depend, execute};
use crate::block::{Shared, Thread};
use crate::ompd::stops;
use crate::ompt::event::{TaskStatus, emit, is_active};

/// Fulfils the event of a task (`omp_fulfill_event`). Called by any thread. The call has no effect
/// if the event has been fulfilled before, which is the program's error, or if the task was lost in
/// the child of a fork(2).
pub fn fulfill(task: Shared<Task>) {
    if task.is_lost() {
        return;
    }
    let event = task.event();
    let status = match event.fulfil() {
        Fulfilment::Early => TaskStatus::EarlyFulfill,
        Fulfilment::Late => {
            event.await_end(is_active);
            if is_active() {
                // SAFETY: the body's thread is done, so this side owns the task, until it is done.
                depend::before_completion(unsafe { task.own() });
            }
            TaskStatus::LateFulfill
        }
        Fulfilment::Again => return,
    };
    emit::task_schedule(task.ompt(), status, None);
    if event.fulfilment_is_done() {
        // SAFETY: the body is over and the event is fulfilled, and this side is done last. So the
        // calling thread owns the task, and completes it.
        let task = unsafe { task.own() };
        emit::task_end(&task.ompt);
        stops::detached_task_is_complete(task);
        execute::complete(Thread::known(), task, None);
    }
}

impl Task {
    /// The event of a task that is yet to be generated. The call makes the task detachable, if the
    /// compiler has not declared it so when it allocated the task (flang 22).
    pub fn detach(&self) -> &Event {
        if !self.has(Properties::DETACHABLE) {
            self.add_property(Properties::DETACHABLE);
            self.begin_event();
        }
        &self.event
    }

    /// Resets the event for the task that is in the block now.
    pub(super) fn begin_event(&self) {
        self.event.reset();
        self.note_losses();
    }

    /// The task whose event this is.
    ///
    /// # Safety
    /// `event` came from `Task::detach`, of a task whose event was not fulfilled.
    pub unsafe fn of_event(event: *const Event) -> Shared<Task> {
        // SAFETY: `event` is a field of a task (`# Safety`), whose block is never freed.
        unsafe {
            let task = event.byte_sub(core::mem::offset_of!(Task, event)).cast::<Task>();
            Shared::at(NonNull::new_unchecked(task.cast_mut()))
        }
    }
}
