//! Target tasks (OpenMP 5.2 §13.8, nowait): bodies that begin work on a device and are over before
//! it is. Steps and argument: README.md beside this file, Work on devices.

use core::sync::atomic::Ordering::Relaxed;

use super::execute;
use crate::block::{Team, Thread};
use crate::os::{self};

/// A thread that has other tasks to run asks no more often than this, nanoseconds: a question may
/// take longer than a task, and libomptarget answers the tenth by waiting.
const PERIOD_NS: u64 = 100_000;

/// Asks about the work of one task, and ends the task if it is done: whether one has ended.
#[cold]
pub(super) fn ask(thread: &'static Thread, team: &Team) -> bool {
    let on_device = &team.tasking.on_device;
    let Some(task) = on_device.take() else { return false };
    if task.is_device_done() {
        execute::execute_end(thread, task);
        return true;
    }
    on_device.push(task);
    on_device.next.store(os::monotonic_ns() + PERIOD_NS, Relaxed);
    false
}
