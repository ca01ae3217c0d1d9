//! Explicit tasks in the child of a fork(2). The rule is in `crate::process::fork`.
//!
//! Threads that are gone may have been executing tasks, waiting for them, or changing their counts.
//! So no count of a team that had more than one thread is read: all counts restart, and the tasks
//! that the surviving thread executes or has suspended, its *stack*, are counted again. No memory
//! that other threads may have been using is freed.

use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use super::{Properties, Task, Taskgroup};
use crate::block::{Alone, Shared, Team, Thread};

/// The tasks of the surviving thread: the current one, then those that it resumes afterwards, of
/// all regions that it is in.
#[derive(Debug)]
pub(crate) struct Stack {
    thread: Option<&'static Thread>,
    tasks: Vec<Shared<Task>>,
}

impl Stack {
    /// The stack of no thread, or of one that the runtime does not know.
    pub(crate) const EMPTY: Stack = Stack { thread: None, tasks: Vec::new() };

    /// The stack of the calling thread. Called before members get other thread numbers.
    pub(crate) fn of(thread: &'static Thread, alone: &Alone) -> Self {
        let (mut task, mut member) =
            (Shared::of(thread.task()), Shared::of(thread.implicit_task()));
        let mut tasks = vec![task];
        tasks.extend(thread.taken.get().map(Shared::of));
        loop {
            if let Some(suspended) = alone.own(task).suspended() {
                task = Shared::of(suspended);
            } else if let at = member.in_region()
                && at.thread_num() == 0
                && let Some(encountering) = at.team().encountering()
                && let Some(outer) = at.team().parent()
            {
                // Below the primary thread's implicit task is the task that encountered the region.
                (task, member) = (encountering, outer);
            } else {
                return Stack { thread: Some(thread), tasks };
            }
            tasks.push(task);
        }
    }

    /// Whether the thread executes the task, is about to execute it, or will resume it.
    pub(crate) fn has(&self, task: &Task) -> bool {
        self.tasks.iter().any(|on_stack| on_stack.is(task))
    }

    fn of_team<'a>(&self, team: &Team, alone: &'a Alone) -> impl Iterator<Item = &'a Task> {
        let tasks = self.tasks.iter().map(|task| alone.own(*task));
        tasks.filter(move |task| ptr::eq(task.team(), team))
    }
}

/// Drops the explicit tasks of the team, except those on `stack`.
pub(crate) fn lose_tasks(team: &'static Team, stack: &Stack, alone: &Alone) {
    team.tasking.forget(alone);
    for member in team.all_members(alone) {
        let member = alone.own(member);
        if let Some(tasks) = member.member_tasks_if_any() {
            tasks.forget(alone);
        }
        if !stack.has(member) {
            member.leave_children(alone);
            member.own_children().reset();
            member.taskgroup.set(None);
        }
    }
    stack.of_team(team, alone).for_each(|task| task.outlive_others(alone));
    let Some(thread) = stack.thread else { return };
    for task in stack.of_team(team, alone).filter(|task| task.has(Properties::COUNTED)) {
        if let Some(group) = task.own_taskgroup() {
            group.tasks.enter(thread);
        }
        let parent = alone.own(task.generating());
        if stack.has(parent) {
            parent.own_children().add();
        }
        // A team of one thread counts its tasks in `outstanding`.
        team.tasking.outstanding.fetch_add(1, Relaxed);
    }
}

impl Task {
    /// The task goes on without its children, and without the tasks that depend on it.
    fn outlive_others(&self, alone: &Alone) {
        self.children.restart(alone);
        self.leave_children(alone);
        self.properties.set(self.properties.get() - Properties::DEPENDENT);
        self.leave_source(alone);
        if self.has(Properties::DETACHABLE) {
            self.note_times_lost();
            self.event.outlive_others(alone);
        }
        let mut group = self.taskgroup.get();
        while let Some(one) = group {
            one.outlive_others(alone);
            group = one.outer();
        }
    }

    /// The innermost taskgroup around the construct that generated the task. The task may have
    /// begun other taskgroups since.
    fn own_taskgroup(&self) -> Option<&'static Taskgroup> {
        let mut group = self.taskgroup.get();
        while let Some(one) = group
            && one.is_of(self)
        {
            group = one.outer();
        }
        group
    }

    /// Notes that the team has the task: it is not among the tasks that the team has lost so far.
    pub(super) fn note_times_lost(&self) {
        self.times_lost.set(self.team().tasking.times_lost.get());
    }
}
