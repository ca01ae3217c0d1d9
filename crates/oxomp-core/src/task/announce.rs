//! The event for tools that a task has been generated.

use oxomp_arch::CallSite;

use super::{Dependence, Properties, Task, depend};
use crate::ompt::event::{Audience, flags};

/// Emits the event that a task with these dependences has been generated, and that of the
/// dependences, if the audience listens.
#[inline(always)]
pub(super) fn announce(
    audience: impl Audience,
    task: &Task,
    dependences: &[Dependence],
    site: CallSite,
) {
    note_flags(audience, task);
    if audience.is_listening() {
        let generating = task.generating().ompt();
        let outlined = task.body.get();
        audience.task_create(generating, &task.ompt, outlined, !dependences.is_empty(), site);
    }
    if audience.hears_events() {
        depend::report(task, dependences);
    }
}

/// Notes for a listener of which kind the task is.
#[inline(always)]
pub(super) fn note_flags(audience: impl Audience, task: &Task) {
    if audience.is_listening() {
        task.ompt.flags.keep(task.ompt_flags());
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
