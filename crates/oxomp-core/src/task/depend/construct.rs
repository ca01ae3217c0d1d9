//! The depend clause: the order of a task among its siblings that depend on the same storage
//! locations.

use oxomp_protocol::depend::Wait;

use super::tell;
use super::trace;
use crate::block::Thread;
use crate::ompt::event::State;
use crate::task::state::depend::link::Link;
use crate::task::state::depend::table::{DependenceTable, Location};
use crate::task::state::depend::ties::{Building, Ties};
use crate::task::{Dependence, DependenceKind, Properties, Task, scheduler};

/// Sorts the dependences by location, and returns one for each location: `Inout` if the location
/// occurs with different kinds. A dependence on all memory replaces all others.
fn normalize(dependences: &mut [Dependence]) -> &[Dependence] {
    if dependences.len() < 2 {
        return dependences;
    }
    if let Some(all) = dependences.iter().position(|one| one.kind == DependenceKind::AllMemory) {
        return &dependences[all..=all];
    }
    dependences.sort_unstable_by_key(|one| one.location.addr());
    let mut last = 0;
    for next in 1..dependences.len() {
        let Dependence { location, kind } = dependences[next];
        let merged = &mut dependences[last];
        if merged.location != location {
            last += 1;
            dependences[last] = Dependence { location, kind };
        } else if merged.kind != kind {
            merged.kind = DependenceKind::Inout;
        }
    }
    &dependences[..=last]
}

/// Ties a child of the current task to its predecessors and successors. Returns whether the child
/// has to wait; if so, another thread may have executed it already.
#[cold]
#[inline(never)]
pub(in crate::task) fn tie(
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
) -> bool {
    let dependences = normalize(dependences);
    let (ties, expected, waits) = thread.task().with_table(|table| {
        let all_memory = dependences[0].kind == DependenceKind::AllMemory;
        let count = if all_memory { table.len() + 1 } else { dependences.len() };
        let mut ties = Building::begin(task, false, count);
        task.add_property(Properties::DEPENDENT);
        let mut waits = 0;
        if all_memory {
            let own = Link::new(&thread.spares.nodes, DependenceKind::AllMemory);
            trace::enter(&ties, task, own.node());
            waits += wait_for_all(thread, task, table, &mut ties, &own);
            table.restart_after(own);
        } else {
            for dependence in dependences {
                let location = table.location(dependence.location.addr());
                waits += enter(thread, task, location, dependence.kind, &mut ties);
            }
        }
        (ties, count, waits)
    });
    // The task cannot be ready until `forgo` subtracts the wait that stands for this thread. If no
    // wait is left then, this thread takes the turns.
    !(ties.forgo(expected, waits) && tell::take_turns(ties.built()))
}

/// Adds the task to the location's current generation, or begins the next generation with it.
/// Returns the number of waits that result, 0 or 1.
fn enter(
    thread: &'static Thread,
    task: &'static Task,
    location: &mut Location,
    kind: DependenceKind,
    ties: &mut Building,
) -> usize {
    let joins = location.is_open && location.kind == kind;
    if let (true, Some(current)) = (joins, &location.current) {
        current.node().generation.join();
    } else {
        close(thread, location);
        if location.current.is_some() {
            location.previous = location.current.take();
        }
        location.current = Some(Link::new(&thread.spares.nodes, kind));
        location.kind = kind;
        location.is_open = kind.is_shared();
    }
    if let Some(current) = &location.current {
        trace::enter(ties, task, current.node());
    }
    if kind == DependenceKind::Mutexinoutset {
        task.add_property(Properties::EXCLUSIVE);
    }
    let wait = ties.add(location.current.clone());
    wait_for(task, &mut location.previous, wait)
}

/// Makes `wait` wait for a generation, or drops the generation if it is over. Returns the number of
/// waits that result, 0 or 1.
fn wait_for(task: &Task, generation: &mut Option<Link>, wait: &Wait<Ties>) -> usize {
    let Some(previous) = generation else { return 0 };
    trace::wait(task, previous.node());
    // SAFETY: `Building::add` has just made the wait. The element of the list stays where it is
    // until the ties end, which needs that every generation has told them.
    if unsafe { previous.node().generation.wait(wait) } {
        return 1;
    }
    *generation = None;
    0
}

/// Closes the location's current generation: no task joins it any more.
fn close(thread: &'static Thread, location: &mut Location) {
    if core::mem::replace(&mut location.is_open, false)
        && let Some(current) = &location.current
    {
        for waiter in current.node().generation.leave() {
            tell::tell(Some(thread), waiter);
        }
    }
}

/// Makes the task wait for the last generation of every location, and for the last task that
/// depended on all memory. Returns the number of waits. The task is a member of `own`.
fn wait_for_all(
    thread: &'static Thread,
    task: &'static Task,
    table: &mut DependenceTable,
    ties: &mut Building,
    own: &Link,
) -> usize {
    let mut waits = 0;
    for location in table.locations() {
        close(thread, location);
        waits += wait_for(task, &mut location.current, ties.add(None));
    }
    waits + wait_for(task, &mut table.base, ties.add(Some(own.clone())))
}

/// Whether a child of the current task with these dependences would have to wait for an earlier
/// one. A dependence on all memory counts as having to wait, if any child has dependences.
#[cold]
pub(in crate::task) fn would_wait(thread: &Thread, dependences: &[Dependence]) -> bool {
    let waits_in = |table: &mut DependenceTable| {
        dependences.iter().any(|Dependence { location, kind }| match table.known(location.addr()) {
            _ if *kind == DependenceKind::AllMemory => true,
            Some(known) => known.would_wait(*kind),
            None => table.base.as_ref().is_some_and(|base| !base.is_over()),
        })
    };
    thread.task().with_table_if_any(waits_in).unwrap_or(false)
}

/// Returns when the siblings are complete for which `task`, with these dependences, has to wait. To
/// a tool the thread waits as in a taskwait with the dependences, or for a target construct.
///
/// The task runs before the current task generates another, so no sibling has to wait for it.
#[cold]
pub(in crate::task) fn wait(
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
) {
    let parent = thread.task();
    if !parent.has_ties() || dependences.is_empty() {
        return;
    }
    let dependences = normalize(dependences);
    let (ties, expected, waits) =
        parent.with_table(|table| wait_in(thread, task, table, dependences));
    if !ties.forgo(expected, waits) {
        let is_target = task.has(Properties::TARGET | Properties::ON_HOST);
        let state = if is_target { State::WaitTarget } else { State::WaitTaskwait };
        thread.ompt.in_state(state, || {
            scheduler::wait_for(thread, &ties.built().waiting);
        });
    }
    ties.end();
}

/// Begins ties with the waits of a task with these dependences, but makes the task no member of a
/// generation. Returns the ties, the number of waits that were expected, and the number of waits
/// that there are.
fn wait_in(
    thread: &'static Thread,
    task: &'static Task,
    table: &mut DependenceTable,
    dependences: &[Dependence],
) -> (Building, usize, usize) {
    let all_memory = dependences[0].kind == DependenceKind::AllMemory;
    let count = if all_memory { table.len() + 1 } else { dependences.len() };
    let mut ties = Building::begin(task, true, count);
    let mut waits = 0;
    if all_memory {
        let own = Link::new(&thread.spares.nodes, DependenceKind::AllMemory);
        let waits = wait_for_all(thread, task, table, &mut ties, &own);
        return (ties, count, waits);
    }
    for Dependence { location, kind } in dependences {
        let mut base = table.base.clone();
        let generation = match table.known(location.addr()) {
            None => &mut base,
            Some(known) if known.may_run_beside(*kind) => &mut known.previous,
            Some(known) => {
                close(thread, known);
                &mut known.current
            }
        };
        waits += wait_for(task, generation, ties.add(None));
    }
    (ties, count, waits)
}
