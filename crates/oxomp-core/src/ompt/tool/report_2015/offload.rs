//! What oxomp's libomptarget gets of the tool (`oxomp_sys::connection`): the events of its own
//! constructs have ids of tasks that this runtime knows.

use core::ptr;

use oxomp_sys::connection::oxomp_task_2015_t;

use super::super::entry_point::{caller, store};
use super::{encoder, number};
use crate::block::Thread;
use crate::task::Task;

/// Stores the task that the calling thread executes.
///
/// # Safety
/// `task` is null or writable.
pub(in super::super) unsafe extern "C" fn get_task(task: *mut oxomp_task_2015_t) {
    let none = oxomp_task_2015_t { encountering: 0, frame: ptr::null(), target_task: 0 };
    let current = caller().and_then(Thread::task_if_any).map_or(none, describe);
    // SAFETY: `task` is null or writable (`# Safety`).
    unsafe { store(task, current) };
}

fn describe(task: &Task) -> oxomp_task_2015_t {
    let (encountering, target_task) = match task.parent() {
        Some(generating) if task.is_target() => (generating.ompt(), number::of_task(&task.ompt)),
        _ => (&task.ompt, 0),
    };
    oxomp_task_2015_t {
        encountering: number::of_task(encountering),
        frame: encoder::frame(encountering),
        target_task,
    }
}

/// A number that no thread, region or task of the run has.
pub(in super::super) unsafe extern "C" fn new_id() -> u64 {
    number::draw()
}
