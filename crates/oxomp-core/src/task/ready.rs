//! The queues for ready tasks: the deque of the calling thread, the team's queue, or the team's
//! list of tasks with device work.

use core::ptr;

use super::Task;
use crate::block::Thread;

/// Queues a child of the current task that is ready as soon as it has been generated, in a team of
/// several threads.
#[inline(always)]
pub(super) fn queue_generated(thread: &'static Thread, task: &'static Task) {
    let team = thread.team();
    let tasks = thread.implicit_task().member_tasks();
    let is_ordinary = task.priority.get() == 0;
    team.admit(move || {
        if is_ordinary && tasks.has_room() {
            tasks.push(task);
        } else {
            team.tasking.queue.push(task);
        }
    });
}

/// Queues a task that has become ready after its generation, so that the threads of its team find
/// it. `thread` is the calling thread if the task may go into its deque (README.md, Which thread
/// runs which task). That thread need not belong to the task's team.
pub(super) fn make_ready(thread: Option<&'static Thread>, task: &'static Task) {
    let team = task.team();
    if team.size() == 1 {
        team.tasking.queue.push(task);
        return;
    }
    let tasks = thread
        .filter(|thread| task.priority.get() == 0 && ptr::eq(thread.team(), team))
        .map(|thread| thread.implicit_task().member_tasks())
        .filter(|tasks| tasks.has_room());
    team.admit(|| match tasks {
        Some(tasks) => tasks.push(task),
        None => team.tasking.queue.push(task),
    });
}

/// Lists a target task whose body is over and whose device work is not done: from now on the
/// threads of its team poll that work.
pub(super) fn await_device(task: &'static Task) {
    let team = task.team();
    if team.size() == 1 {
        team.tasking.on_device.push(task);
    } else {
        team.admit(|| team.tasking.on_device.push(task));
    }
}
