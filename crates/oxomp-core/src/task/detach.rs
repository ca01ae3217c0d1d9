//! The detach clause (OpenMP 5.2 §12.5.2): a task that is complete when its body is over and its event
//! is fulfilled, in either order.
//!
//! The event is a word of the task; the handle is its address. The second of the two steps completes
//! the task, on the thread that takes it.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Acquire};

use super::{Task, execute};
use crate::ompt::event::{TaskStatus, emit};
use crate::thread::Thread;

/// The body runs, or has not begun.
const OPEN: u32 = 0;
/// The event was fulfilled.
const FULFILLED: u32 = 1;
/// The body is over and its thread is still at its end, which it reports.
const ENDING: u32 = 2;
/// The task waits for its event only.
const DETACHED: u32 = 3;

/// The body of a detachable task is over: whether its event has been fulfilled.
pub(super) fn body_is_over(task: &Task) -> bool {
    // AcqRel: what the body did is seen by who fulfils, and the other way round.
    task.event.compare_exchange(OPEN, ENDING, AcqRel, Acquire).is_err()
}

/// The thread of a task that `body_is_over` found unfulfilled has done with it: whether the event was
/// fulfilled meanwhile, so that the caller completes the task.
pub(super) fn let_go(task: &Task) -> bool {
    task.event.compare_exchange(ENDING, DETACHED, AcqRel, Acquire).is_err()
}

/// `omp_fulfill_event`: on any thread. An event that was fulfilled before stays so: the program's
/// error, without effect.
pub fn fulfill(task: &'static Task) {
    // AcqRel: as in `body_is_over`.
    match task.event.swap(FULFILLED, AcqRel) {
        OPEN => emit::task_schedule(&task.ompt, TaskStatus::EarlyFulfill, None),
        ENDING => emit::task_schedule(&task.ompt, TaskStatus::LateFulfill, None),
        DETACHED => {
            emit::task_schedule(&task.ompt, TaskStatus::LateFulfill, None);
            execute::complete(Thread::known(), task);
        }
        _ => {}
    }
}

impl Task {
    /// The event of a detachable task.
    pub fn event(&self) -> &AtomicU32 {
        &self.event
    }

    /// The task whose event this is.
    ///
    /// # Safety
    /// `event` came from `Task::event`, of a task whose event was not fulfilled.
    pub unsafe fn of_event(event: *const AtomicU32) -> &'static Task {
        // SAFETY: a field of a task, and blocks are never freed.
        unsafe { &*event.byte_sub(core::mem::offset_of!(Task, event)).cast::<Task>() }
    }
}
