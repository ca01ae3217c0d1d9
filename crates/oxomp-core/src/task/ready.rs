//! A task that may run goes where the threads of its team look for tasks.

use core::ptr;

use super::Task;
use crate::block::Thread;

/// A task is ready: it goes where the team's threads look for tasks. `thread` is the calling
/// thread, which may be no member of the team, if the task may go into its deque: README.md, Who
/// runs which task.
pub(super) fn make_ready(thread: Option<&'static Thread>, task: &'static Task) {
    let team = task.team();
    if team.size() == 1 {
        team.tasking.queue.push(task);
        return;
    }
    let bench = thread
        .filter(|thread| task.priority.get() == 0 && ptr::eq(thread.team(), team))
        .map(|thread| thread.implicit_task().workbench())
        .filter(|bench| bench.has_room());
    team.admit(|| match bench {
        Some(bench) => bench.push(task),
        None => team.tasking.queue.push(task),
    });
}

/// The task's body is over, and its work is not: the team's threads ask about it from now on.
pub(super) fn await_device(task: &'static Task) {
    let team = task.team();
    if team.size() == 1 {
        team.tasking.on_device.push(task);
    } else {
        team.admit(|| team.tasking.on_device.push(task));
    }
}
