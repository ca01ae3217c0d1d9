//! Target tasks (OpenMP 5.2 §13.8, nowait), whose bodies begin device work and return before it is
//! done. README.md in this folder, Work on devices, has the steps and the argument.

use core::sync::atomic::Ordering::Relaxed;

use oxomp_base::os;

use super::execute;
use crate::block::{Team, Thread};

/// The nanoseconds for which a thread that has other tasks to run does not poll again: a poll may
/// take longer than a task, and libomptarget waits for the work in the tenth.
const PERIOD_NS: u64 = 100_000;

/// Polls the device work of one task, and ends the task if the work is done. Returns whether it has
/// ended one.
#[cold]
pub(super) fn poll(thread: &'static Thread, team: &Team) -> bool {
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
