//! The generation of a task (OpenMP 5.2 §12.5): the constructs that generate one, and the steps of
//! each decision: the task joins the counts and the order of its dependences, as far as it needs
//! these, and is executed at once on top of the generating task, or queued.

use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;

use super::announce::{announce, note_flags};
use super::decision::{self, Decision};
use super::in_place::Decided;
use super::{Dependence, DependenceList, Properties, Task, depend, execute, ready, throttle};
use crate::block::{Team, Thread};
use crate::cancel::begun;
use crate::ompt::event::{Audience, TaskStatus, for_audience};

/// The list of a task without a depend clause.
type NoList = fn() -> DependenceList;

/// Generates a task without dependences (the task construct): executes the task at once, or queues
/// it.
#[inline(always)]
pub fn generate(thread: &'static Thread, task: &'static Task, site: CallSite) {
    for_audience!(|audience| generate_for(audience, thread, task, None::<NoList>, site));
}

/// Generates a task with dependences (the task construct with a depend clause, which `read` reads):
/// the task may have to wait for earlier siblings, and later siblings for the task.
#[inline(always)]
pub fn generate_dependent(
    thread: &'static Thread,
    task: &'static Task,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) {
    for_audience!(|audience| generate_for(audience, thread, task, Some(read), site));
}

#[inline(always)]
fn generate_for(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    read: Option<impl FnOnce() -> DependenceList>,
    site: CallSite,
) {
    let decision = Decision::of(audience, thread, decision::of_task(task, read.is_some()));
    carry_out(audience, thread, task, decision, read, site);
}

/// Generates a task for which `run_in_place` has made the decision, with the depend clause that
/// `read` reads, if there is one.
#[inline(always)]
pub fn generate_decided(
    thread: &'static Thread,
    task: &'static Task,
    Decided(decision): Decided,
    read: Option<impl FnOnce() -> DependenceList>,
    site: CallSite,
) {
    for_audience!(|audience| carry_out(audience, thread, task, decision, read, site));
}

/// Carries the decision out: executes the task at once, queues it, or makes it wait for its
/// siblings.
#[inline(always)]
fn carry_out(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    decision: Decision,
    read: Option<impl FnOnce() -> DependenceList>,
    site: CallSite,
) {
    match (decision, read) {
        (Decision::AtOnce, _) => {
            let _frame = audience.enter(&thread.task().ompt, site);
            go_on(audience, thread, task, Next::AtOnce);
        }
        (Decision::Deferred, None) => defer(audience, thread, task, site),
        (_, None) => run_counted_or_undeferred(audience, thread, task, decision, site),
        (_, Some(read)) => generate_ordered(audience, thread, task, decision, read, site),
    }
}

/// Queues a task without dependences.
#[inline(never)]
fn defer(audience: impl Audience, thread: &'static Thread, task: &'static Task, site: CallSite) {
    let _frame = audience.enter(&thread.task().ompt, site);
    let next = settle(audience, thread, task, Decision::Deferred, &mut [], site);
    go_on(audience, thread, task, next);
}

/// Executes a task without dependences that the generating task does not queue, and whose begin or
/// end concerns others.
#[inline(never)]
fn run_counted_or_undeferred(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    decision: Decision,
    site: CallSite,
) {
    let _frame = audience.enter(&thread.task().ompt, site);
    let next = settle(audience, thread, task, decision, &mut [], site);
    go_on(audience, thread, task, next);
}

#[inline(never)]
fn generate_ordered(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    decision: Decision,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) {
    let _frame = audience.enter(&thread.task().ompt, site);
    let next = put_in_order(audience, thread, task, decision, read, site);
    go_on(audience, thread, task, next);
}

/// Calls `settle` for a task whose depend clause `read` reads. The list is not on the stack any
/// more when a task runs at once, since such tasks may be nested thousands deep. (Tasks that the
/// thread executes while an undeferred task waits for them do run on top of the list.)
#[inline(never)]
fn put_in_order(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    decision: Decision,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) -> Next {
    settle(audience, thread, task, decision, &mut read(), site)
}

/// The step that remains for the generating thread after it has settled a task.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// Queue the task.
    Queue,
    /// Limit the number of tasks that wait for predecessors, as this task does.
    Throttle,
    /// Execute the task like a call.
    AtOnce,
    /// Execute the task on top of its generating task. The task is in no count.
    Included,
    /// Execute the task on top of its generating task. The task is counted.
    Counted,
}

/// Takes the step that remains for a settled task.
#[inline(always)]
fn go_on(audience: impl Audience, thread: &'static Thread, task: &'static Task, next: Next) {
    match next {
        Next::Queue => ready::queue_generated(thread, task),
        Next::Throttle => throttle::throttle(thread),
        Next::AtOnce => {
            if audience.is_listening() && thread.team().size() == 1 {
                task.add_property(Properties::UNDEFERRED);
            }
            note_flags(audience, task);
            execute::execute_included(audience, thread, task, task.data());
        }
        Next::Included => execute::execute_included(audience, thread, task, task.data()),
        Next::Counted => execute::execute_for(audience, thread, task, TaskStatus::Switch),
    }
}

/// Adds the task to the counts and to the order of its dependences, as far as it needs these, and
/// returns the step that remains.
#[inline(always)]
fn settle(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    decision: Decision,
    dependences: &mut [Dependence],
    site: CallSite,
) -> Next {
    if decision == Decision::AtOnceIfReady && !depend::would_wait(thread, dependences) {
        return Next::AtOnce;
    }
    if decision.is_undeferred() {
        task.add_property(Properties::UNDEFERRED);
    }
    announce(audience, task, dependences, site);
    if decision.is_undeferred() {
        if !dependences.is_empty() {
            depend::wait(thread, task, dependences);
        }
        if decision == Decision::Undeferred {
            return Next::Included;
        }
        // Later siblings may have to wait for the task's event, so its dependences are tied below.
    }
    count_in(thread, task);
    if !dependences.is_empty() && depend::tie(thread, task, dependences) {
        return Next::Throttle;
    }
    match decision {
        Decision::Deferred => Next::Queue,
        _ => Next::Counted,
    }
}

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
        thread.implicit_task().member_tasks().count_made();
    }
}

/// Counts a task as unfinished in its team, which may have one thread. Any thread may complete a
/// detachable task, and no cancellation discards a task with `NOT_DISCARDED`.
#[inline(always)]
fn count_by_properties(thread: &Thread, team: &Team, task: &Task) {
    if task.has(Properties::NOT_DISCARDED) {
        begun::begin_when_made(thread, task);
    }
    if team.size() == 1 || task.has(Properties::DETACHABLE) {
        // Relaxed: the increment precedes the publication of the task, so every thread that sees
        // the task sees the increment.
        team.tasking.outstanding.fetch_add(1, Relaxed);
    } else {
        thread.implicit_task().member_tasks().count_made();
    }
}
