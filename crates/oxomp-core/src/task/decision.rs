//! The decision how a task runs (OpenMP 5.2 §12.5): whether its generating task waits for it, and
//! whether it is executed at once or queued.
//!
//! It is made once, when the task is generated, from the facts that the construct's call has handed
//! in: by its arguments (GOMP), or by the block that it has filled before (kmpc).

use oxomp_base::settings;
use oxomp_protocol::task::CAPACITY;

use super::allocate::Clauses;
use super::{OwnMemberTasks, Properties, Task};
use crate::block::{Team, Thread};
use crate::ompt::event::Audience;

/// What the decision needs to know of a task. It asks only for what matters, in an order that suits
/// the most frequent tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<U, P> {
    /// The call says that the if clause is false (GOMP).
    is_if_false: bool,
    /// Returns whether the task is undeferred by what a block says: its own (kmpc), or that of the
    /// generating task, which may be final.
    is_undeferred: U,
    /// The properties that make the task concern others: `DETACHABLE`, `TARGET`.
    properties: Properties,
    /// Returns whether the task has a priority.
    has_priority: P,
    /// There is a depend clause.
    has_dependences: bool,
}

/// The facts of a task in its block.
#[inline(always)]
pub(super) fn of_task(
    task: &Task,
    has_dependences: bool,
) -> Facts<impl Fn() -> bool, impl Fn() -> bool> {
    let properties = task.properties.get();
    Facts {
        is_if_false: false,
        is_undeferred: move || properties.intersects(Properties::UNDEFERRED),
        properties,
        has_priority: || task.priority.get() != 0,
        has_dependences,
    }
}

/// The facts of a child of the current task that has no block yet.
#[inline(always)]
pub(super) fn of_child(
    thread: &Thread,
    if_clause: bool,
    clauses: Clauses,
    has_dependences: bool,
) -> Facts<impl Fn() -> bool, impl Fn() -> bool> {
    Facts {
        is_if_false: !if_clause,
        is_undeferred: || thread.task().has(Properties::FINAL),
        properties: clauses.properties,
        has_priority: move || clauses.effective_priority() != 0,
        has_dependences,
    }
}

/// How a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The generating task executes the task at once, like a call: the task is in no count, its
    /// dependences have no effect, and nobody else hears of its begin or its end. Either the task
    /// is undeferred, or the thread has as many queued tasks as it may have.
    AtOnce,
    /// Undeferred: the generating task executes the task as soon as its dependences are fulfilled,
    /// and waits for that. The task is in no count.
    Undeferred,
    /// As `Undeferred`, but the task is counted, and later siblings may depend on it: it may be
    /// complete later than its body, by its event.
    UndeferredDetachable,
    /// Deferred, but the generating task executes the task at once if its dependences are
    /// fulfilled: no other thread could take it out of a queue, or the thread has as many queued
    /// tasks as it may have.
    Unqueued,
    /// As `AtOnce` if the task has to wait for none of its siblings, which only the list of its
    /// dependences tells; as `Unqueued` if it has to.
    AtOnceIfReady,
    /// Deferred: the task is queued as soon as its dependences are fulfilled.
    Deferred,
}

impl Decision {
    /// The decision for a child of the current task.
    #[inline(always)]
    pub(super) fn of(
        audience: impl Audience,
        thread: &Thread,
        facts: Facts<impl Fn() -> bool, impl Fn() -> bool>,
    ) -> Self {
        let Facts { is_if_false, is_undeferred, properties, has_priority, has_dependences } = facts;
        let team = || thread.team();
        // Whether the begin and the end of the task concern its generating task only: not a thread
        // that fulfils its event, threads that poll its device work, or a listener to events.
        let is_private = !audience.hears_events()
            && !properties.intersects(Properties::DETACHABLE.union(Properties::TARGET));
        // The task depends on no earlier sibling, and if it is executed at once, it is complete
        // before a later sibling is generated.
        let is_ready = || !has_dependences || !thread.task().has_ties();
        if is_private && (is_if_false || stays(team(), &is_undeferred)) && is_ready() {
            return Decision::AtOnce;
        }
        let is_undeferred = is_if_false || is_undeferred();
        let is_alone = team().size() == 1;
        if is_undeferred || is_alone && !is_deferred_alone(team(), properties, has_dependences) {
            return match properties.intersects(Properties::DETACHABLE) {
                true => Decision::UndeferredDetachable,
                false => Decision::Undeferred,
            };
        }
        if is_alone {
            return Decision::Unqueued;
        }
        if has_priority() || !is_throttled(team(), thread) {
            return Decision::Deferred;
        }
        match is_private {
            true if is_ready() => Decision::AtOnce,
            true => Decision::AtOnceIfReady,
            false => Decision::Unqueued,
        }
    }

    /// Whether the generating task waits until the task is executed.
    #[inline(always)]
    pub(super) fn is_undeferred(self) -> bool {
        matches!(self, Decision::Undeferred | Decision::UndeferredDetachable)
    }
}

/// Whether the generating thread executes a private task that is ready, by its team or by the task
/// that generates it.
#[inline(always)]
fn stays(team: &Team, is_undeferred: impl Fn() -> bool) -> bool {
    team.size() == 1 || is_undeferred()
}

/// Whether [`Decision::of`] is [`Decision::AtOnce`] for a child of the current task that nobody
/// listens to and that has neither dependences nor an event nor device work, whatever siblings are
/// generated before. A throttled task has that decision, too, but siblings can change it.
#[inline(always)]
pub(super) fn is_at_once_anyway(thread: &Thread, if_clause: bool) -> bool {
    !if_clause || stays(thread.team(), || thread.task().has(Properties::FINAL))
}

/// Whether the only thread of the team defers the task: the device may work while the generating
/// task goes on, or the task may depend on an event that is not fulfilled.
#[inline(always)]
fn is_deferred_alone(team: &Team, properties: Properties, has_dependences: bool) -> bool {
    properties.intersects(Properties::TARGET) && settings::get().globals.use_hidden_helper_task
        || has_dependences && !team.tasking.is_idle()
}

/// Whether the thread, whose team has other threads, has as many queued tasks as it may have: its
/// deque is full, or too many of the tasks that it has moved from there into the team's queue are
/// left.
#[inline(always)]
fn is_throttled(team: &Team, thread: &Thread) -> bool {
    let tasks = thread.implicit_task().member_tasks();
    let may_queue =
        tasks.has_room() && (tasks.moved() < CAPACITY as u32 || recount_moved(team, tasks));
    !may_queue && settings::throttles_tasks()
}

/// Checks whether tasks are left that the owner of `tasks` has moved into the team's queue.
/// If the queue has only tasks with a priority, none is left: resets the number of moved tasks, and
/// returns true.
#[cold]
fn recount_moved(team: &Team, tasks: OwnMemberTasks) -> bool {
    let is_empty = team.tasking.queue.has_no_ordinary();
    if is_empty {
        tasks.set_moved(0);
    }
    is_empty
}

#[cfg(test)]
mod tests {
    use super::{Decision, Facts, is_at_once_anyway, of_child};
    use crate::block::Thread;
    use crate::ompt::event::{Audience, Listened, Silent};
    use crate::task::{Clauses, Properties};

    /// The decision for a child of the initial task, whose team has one thread and no task.
    fn alone(audience: impl Audience, properties: Properties, has_dependences: bool) -> Decision {
        let facts = Facts {
            is_if_false: false,
            is_undeferred: || properties.intersects(Properties::UNDEFERRED),
            properties,
            has_priority: || false,
            has_dependences,
        };
        Decision::of(audience, Thread::current(), facts)
    }

    #[test]
    fn a_private_task_of_a_team_of_one_runs_at_once() {
        for properties in [Properties::empty(), Properties::UNDEFERRED, Properties::FINAL] {
            assert_eq!(alone(Silent, properties, false), Decision::AtOnce);
            assert_eq!(alone(Silent, properties, true), Decision::AtOnce);
        }
    }

    #[test]
    fn what_is_executed_at_once_anyway_has_that_decision() {
        let thread = Thread::current();
        let clauses = Clauses { properties: Properties::UNTIED, priority: 3 };
        for if_clause in [true, false] {
            assert!(is_at_once_anyway(thread, if_clause));
            let facts = of_child(thread, if_clause, clauses, false);
            assert_eq!(Decision::of(Silent, thread, facts), Decision::AtOnce);
        }
    }

    #[test]
    fn a_task_of_a_team_of_one_that_concerns_others_is_undeferred() {
        assert_eq!(alone(Listened, Properties::empty(), false), Decision::Undeferred);
        assert_eq!(alone(Listened, Properties::empty(), true), Decision::Undeferred);
        let detachable = alone(Silent, Properties::DETACHABLE, false);
        assert_eq!(detachable, Decision::UndeferredDetachable);
    }

    #[test]
    fn a_team_of_one_defers_a_target_task_unless_it_is_undeferred() {
        assert_eq!(alone(Silent, Properties::TARGET, false), Decision::Unqueued);
        let undeferred = Properties::TARGET | Properties::UNDEFERRED;
        assert_eq!(alone(Silent, undeferred, false), Decision::Undeferred);
    }
}
