//! The counts of unfinished tasks to which a generated task is added, and its event for tools.

use core::sync::atomic::Ordering::Relaxed;

use super::{Properties, Task, cancelled};
use crate::arch::CallSite;
use crate::block::{Team, Thread};
use crate::ompt::event::{Audience, flags};

/// Counts the task as unfinished: in its taskgroup, in its parent and in its team.
#[inline(always)]
pub(super) fn count_in(thread: &'static Thread, task: &Task) {
    task.add_property(Properties::COUNTED);
    if let Some(group) = task.taskgroup.get() {
        group.tasks.enter(thread);
    }
    thread.task().own_children().add();
    let team = thread.team();
    if team.size() == 1 || task.has(Properties::DETACHABLE | Properties::NOT_DISCARDED) {
        count_by_properties(thread, team, task);
    } else {
        thread.implicit_task().workbench().count_made();
    }
}

/// Counts a task as unfinished in its team, which may have one thread. Any thread may complete a
/// detachable task, and no cancellation discards a task with `NOT_DISCARDED`.
#[inline(always)]
fn count_by_properties(thread: &Thread, team: &Team, task: &Task) {
    if task.has(Properties::NOT_DISCARDED) {
        cancelled::begin_when_made(thread, task);
    }
    if team.size() == 1 || task.has(Properties::DETACHABLE) {
        // Relaxed: the increment precedes the publication of the task, so every thread that sees
        // the task sees the increment.
        team.tasking.outstanding.fetch_add(1, Relaxed);
    } else {
        thread.implicit_task().workbench().count_made();
    }
}

/// Emits the event that a task has been generated, if the audience listens.
#[inline(always)]
pub(super) fn announce(
    audience: impl Audience,
    task: &Task,
    has_dependences: bool,
    site: CallSite,
) {
    if audience.is_listening() {
        task.ompt.flags.keep(task.ompt_flags());
        let generating = task.generating().ompt();
        let outlined = task.body.get();
        audience.task_create(generating, &task.ompt, outlined, has_dependences, site);
    }
}

impl Task {
    /// `ompt_task_flag_t` of an explicit task.
    pub(super) fn ompt_flags(&self) -> i32 {
        let properties = self.properties.get();
        let kinds = [
            (Properties::UNDEFERRED, flags::TASK_UNDEFERRED),
            (Properties::UNTIED, flags::TASK_UNTIED),
            (Properties::FINAL, flags::TASK_FINAL),
            (Properties::MERGEABLE, flags::TASK_MERGEABLE),
        ];
        let kind = if properties.intersects(Properties::TARGET | Properties::ON_HOST) {
            flags::TASK_TARGET
        } else if properties.intersects(Properties::EMPTY) {
            // The specification demands `undeferred` for a taskwait without nowait (5.2 §15.5). As
            // in libomp each taskwait with dependences has it: Archer keeps no state for a task
            // that is neither explicit nor undeferred.
            flags::TASK_TASKWAIT | flags::TASK_UNDEFERRED
        } else {
            flags::TASK_EXPLICIT
        };
        kinds
            .iter()
            .filter(|(property, _)| properties.intersects(*property))
            .fold(kind, |all, (_, flag)| all | flag)
    }
}
