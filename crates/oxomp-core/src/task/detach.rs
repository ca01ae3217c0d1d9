//! The detach clause (OpenMP 5.2 §12.5.2): a detachable task is complete when its body is over and
//! its event is fulfilled, in either order. `oxomp_protocol::task::Event` is the event's protocol.

use core::num::NonZero;
use core::ptr::{self, NonNull};

use oxomp_ompd_layout::event_handle;
use oxomp_protocol::task::{Fulfilment, SERIALS};

use super::{Properties, Task, complete, depend};
use crate::block::{Shared, Thread};
use crate::ompd::stops;
use crate::ompt::event::{TaskStatus, emit, is_active};

/// `omp_event_handle_t`: a detachable task. The block of the task may be another task's by now, if
/// the task was discarded; so the handle has the serial number of the task besides, in bits that an
/// address of a task does not use.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct EventHandle(NonZero<usize>);

const _: () = assert!(SERIALS == event_handle::SERIALS);
const _: () = assert!(align_of::<Task>().trailing_zeros() == event_handle::LOW);

impl EventHandle {
    fn of(task: &Task) -> Self {
        let block = NonNull::from(task).expose_provenance();
        let handle = event_handle::of(block.get() as u64, task.event.serial()) as usize;
        // The address of the block is not 0.
        EventHandle(block | handle)
    }

    /// The block of the task, and the serial number.
    fn parts(self) -> (Shared<Task>, u32) {
        let (block, serial) = event_handle::parts(self.0.get() as u64);
        let block = ptr::with_exposed_provenance_mut::<Task>(block as usize);
        // SAFETY: `of` made the handle from a task, whose block is never freed and remains a block
        // of a task; the program gives back what it got (oxomp-abi, A11).
        (unsafe { Shared::at(NonNull::new_unchecked(block)) }, serial)
    }
}

/// Fulfils the event of a task (`omp_fulfill_event`). Called by any thread. The call has no effect
/// if the event has been fulfilled before, by the program's mistake or because the task was
/// discarded, or if the task was lost in the child of a fork(2).
pub fn fulfill(event: EventHandle) {
    let (task, serial) = event.parts();
    // If the block has another task by now, this does not matter: `fulfil` has no effect then.
    if task.is_lost() {
        return;
    }
    let event = task.event();
    let status = match event.fulfil(serial) {
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
        complete::complete(Thread::known(), task, None);
    }
}

impl Task {
    /// The event of a task that is yet to be generated. The call makes the task detachable, if the
    /// compiler has not declared it so when it allocated the task (flang 22).
    pub fn detach(&self) -> EventHandle {
        if !self.has(Properties::DETACHABLE) {
            self.add_property(Properties::DETACHABLE);
            self.begin_event();
        }
        self.event_handle()
    }

    /// The handle of the event of a detachable task.
    pub fn event_handle(&self) -> EventHandle {
        EventHandle::of(self)
    }

    /// Resets the event for the task that is in the block now.
    pub(super) fn begin_event(&self) {
        self.event.reset();
        self.note_times_lost();
    }

    /// Gives up the block of a task that has the event with the last serial number and has not been
    /// generated: handles of the tasks that were in the block may still come. To a debugger the
    /// block has a task that is complete, and waits for a child.
    pub(super) fn give_up_block(&self) {
        self.own_children().abandon();
    }
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use oxomp_protocol::task::{Fulfilment, SERIALS};

    use super::super::{Clauses, Properties, Task, allocate, discard};
    use crate::block::Thread;

    fn detachable() -> &'static Task {
        let clauses = Clauses { properties: Properties::DETACHABLE, priority: 0 };
        allocate(Thread::current(), 8, ptr::null(), clauses)
    }

    #[test]
    fn a_handle_tells_tasks_apart_that_have_one_block() {
        let first = detachable();
        let (block, serial) = first.event_handle().parts();
        assert!(block.is(first) && serial == first.event.serial());
        discard(Thread::current(), first);
        let second = detachable();
        assert!(ptr::eq(first, second), "another block");
        assert_ne!(second.event_handle().parts().1, serial);
        assert_eq!(second.event.fulfil(serial), Fulfilment::Again);
        assert!(!second.event.body_is_over());
        // The last number of a block: the next task has another block.
        while !second.event.is_used_up() {
            second.event.reset();
        }
        let (block, serial) = second.event_handle().parts();
        assert!(block.is(second) && serial == SERIALS - 1);
        discard(Thread::current(), second);
        let third = detachable();
        assert!(!ptr::eq(second, third), "a number comes again");
        discard(Thread::current(), third);
    }
}
