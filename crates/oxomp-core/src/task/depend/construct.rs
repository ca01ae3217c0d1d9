//! The depend clause: a task takes its place among those that depend on the same storage locations.

use core::ffi::c_void;
use core::ptr;

use oxomp_protocol::depend::Wait;
use oxomp_sys::ompt::ompt_dependence_type_t;
use smallvec::SmallVec;

use super::link::Link;
use super::table::{DependenceTable, Location};
use super::ties::{self, Building, Ties};
use super::trace;
use crate::task::throttle::MostChildren;
use crate::task::{Task, property, scheduler};
use crate::thread::Thread;

/// How a task depends on a storage location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependenceKind {
    In,
    /// For the order of tasks the same as `Inout`.
    Out,
    Inout,
    /// The tasks exclude each other, in any order.
    Mutexinoutset,
    /// The tasks may run side by side.
    Inoutset,
    /// `out` or `inout` of every location.
    AllMemory,
}

/// One element of a depend clause.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    /// The storage location; only its address counts.
    pub location: *const c_void,
    pub kind: DependenceKind,
}

impl DependenceKind {
    /// The word of events for it.
    pub(super) fn to_ompt(self) -> ompt_dependence_type_t {
        match self {
            Self::In => ompt_dependence_type_t::IN,
            Self::Out => ompt_dependence_type_t::OUT,
            Self::Inout => ompt_dependence_type_t::INOUT,
            Self::Mutexinoutset => ompt_dependence_type_t::MUTEXINOUTSET,
            Self::Inoutset => ompt_dependence_type_t::INOUTSET,
            Self::AllMemory => ompt_dependence_type_t::OUT_ALL_MEMORY,
        }
    }

    /// Whether tasks with this dependence may be of one generation.
    pub(super) fn is_shared(self) -> bool {
        matches!(self, Self::In | Self::Mutexinoutset | Self::Inoutset)
    }
}

/// The elements of a depend clause; lists as long as most need no memory of their own.
pub type DependenceList = SmallVec<[Dependence; 16]>;

/// Sorts by location and leaves one dependence for each, at the front; of different kinds together,
/// `Inout`. One of all memory stands for all.
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

/// Puts the task, which the current task has made, in its place: whether it has to wait there. If
/// so, it may have run by now.
#[cold]
#[inline(never)]
pub(in crate::task) fn tie(
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
) -> bool {
    let dependences = normalize(dependences);
    let table = table_of(thread.task());
    let all_memory = dependences[0].kind == DependenceKind::AllMemory;
    let count = if all_memory { table.len() + 1 } else { dependences.len() };
    let ties = Building::begin(task, false, count);
    task.add_property(property::DEPENDENT);
    let mut waits = 0;
    if all_memory {
        let own = Link::new(thread, DependenceKind::AllMemory);
        trace::enter(ties, task, own.node());
        waits += wait_for_all(thread, task, table, ties, &own);
        table.restart_after(own);
    } else {
        for dependence in dependences {
            let location = table.location(dependence.location.addr());
            waits += enter(thread, task, location, dependence.kind, ties);
        }
    }
    // The task has not run: the wait that `forgo` takes back is still to come.
    !(ties.forgo(waits == 0, (count - waits) as u32 + 1) && ties::take_turns(ties.built(), 0))
}

/// The task joins the location's generation or begins the next: how many waits that makes, 0 or 1.
fn enter(
    thread: &'static Thread,
    task: &'static Task,
    location: &mut Location,
    kind: DependenceKind,
    ties: Building,
) -> usize {
    let joins = location.is_open && location.kind == kind;
    if let (true, Some(current)) = (joins, &location.current) {
        current.node().generation.join();
    } else {
        close(thread, location);
        if location.current.is_some() {
            location.previous = location.current.take();
        }
        location.current = Some(Link::new(thread, kind));
        location.kind = kind;
        location.is_open = kind.is_shared();
    }
    if let Some(current) = &location.current {
        trace::enter(ties, task, current.node());
    }
    if kind == DependenceKind::Mutexinoutset {
        task.add_property(property::EXCLUSIVE);
    }
    let wait = ties.add(location.current.clone());
    wait_for(task, &mut location.previous, wait)
}

/// Waits for a generation, or drops what is over: how many waits that makes.
fn wait_for(task: &Task, generation: &mut Option<Link>, wait: &Wait<Ties>) -> usize {
    let Some(previous) = generation else { return 0 };
    trace::wait(task, previous.node());
    if previous.node().generation.wait(wait) {
        return 1;
    }
    *generation = None;
    0
}

/// No task joins the location's generation any more.
fn close(thread: &'static Thread, location: &mut Location) {
    if core::mem::replace(&mut location.is_open, false)
        && let Some(current) = &location.current
    {
        for waiter in current.node().generation.leave() {
            ties::tell(Some(thread), waiter);
        }
    }
}

/// Waits for the last generation of every location, and for the task before that depended on all:
/// how many waits that makes. The task is a member of `own`.
fn wait_for_all(
    thread: &'static Thread,
    task: &'static Task,
    table: &mut DependenceTable,
    ties: Building,
    own: &Link,
) -> usize {
    let mut waits = 0;
    for location in table.locations() {
        close(thread, location);
        waits += wait_for(task, &mut location.current, ties.add(None));
    }
    waits + wait_for(task, &mut table.base, ties.add(Some(own.clone())))
}

/// Whether a task of the current task with these dependences would have to wait for one before. All
/// memory is not looked through: then the answer is yes.
#[cold]
pub(in crate::task) fn would_wait(thread: &Thread, dependences: &[Dependence]) -> bool {
    // SAFETY: as in `table_of`.
    let Some(table) = (unsafe { thread.task().table.get().as_mut() }) else { return false };
    dependences.iter().any(|Dependence { location, kind }| match table.known(location.addr()) {
        _ if *kind == DependenceKind::AllMemory => true,
        Some(known) => known.would_wait(*kind),
        None => table.base.as_ref().is_some_and(|base| !base.is_over()),
    })
}

/// Returns when what a task with these dependences would wait for is over. That task, `task`, runs
/// before any other is made, so none has to wait for it.
#[cold]
pub(in crate::task) fn wait(
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
) {
    let parent = thread.task();
    if !has_ties(parent) || dependences.is_empty() {
        return;
    }
    let dependences = normalize(dependences);
    let table = table_of(parent);
    let all_memory = dependences[0].kind == DependenceKind::AllMemory;
    let count = if all_memory { table.len() + 1 } else { dependences.len() };
    let ties = Building::begin(task, true, count);
    let mut waits = 0;
    if all_memory {
        waits =
            wait_for_all(thread, task, table, ties, &Link::new(thread, DependenceKind::AllMemory));
    } else {
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
    }
    if !ties.forgo(waits == 0, (count - waits) as u32 + 1) {
        scheduler::wait_for_zero(thread, &ties.built().waiting);
    }
    ties.end().ties.clear();
}

/// Whether a child of the task has ties to others, or had some that it has not forgotten.
#[inline(always)]
pub(in crate::task) fn has_ties(task: &Task) -> bool {
    !task.table.get().is_null()
}

/// A task is complete: those that wait for it, and for nothing else, are ready.
#[inline(always)]
pub(in crate::task) fn release(thread: Option<&'static Thread>, task: &Task) {
    if task.has(property::DEPENDENT) {
        // SAFETY: made by `tie` from a box; the task is complete, so nobody else looks at it.
        release_ties(thread, unsafe { &mut *task.ties.get() });
    }
}

#[cold]
fn release_ties(thread: Option<&'static Thread>, ties: &mut Ties) {
    trace::leave(ties);
    for tie in ties.ties.drain(..) {
        let Some(member) = &tie.member else { continue };
        if member.node().is_exclusive
            && let Some(next) = member.node().exclusion.release()
        {
            ties::tell_turn(thread, next);
        }
        for waiter in member.node().generation.leave() {
            ties::tell(thread, waiter);
        }
    }
}

/// How many children of the task may be unfinished, if it has made some that depend on others. By
/// the task's thread.
#[inline(always)]
pub(in crate::task) fn most_children(task: &Task) -> Option<MostChildren> {
    // SAFETY: as in `table_of`.
    unsafe { task.table.get().as_ref() }.map(|table| table.most_children)
}

/// The same, from now on until the task forgets its children.
#[inline(always)]
pub(in crate::task) fn set_most_children(task: &Task, most: MostChildren) {
    // SAFETY: as in `table_of`.
    if let Some(table) = unsafe { task.table.get().as_mut() } {
        table.most_children = most;
    }
}

/// The locations that the children of `task` depend on, until it forgets them.
fn table_of<'a>(task: &Task) -> &'a mut DependenceTable {
    if task.table.get().is_null() {
        task.table.set(Box::into_raw(Box::default()));
    }
    // SAFETY: made from a box; only the task's thread looks at it, and not from
    // within another look.
    unsafe { &mut *task.table.get() }
}

/// All children of the task are complete, or it makes no more: it need not know what
/// they depended on.
#[inline(always)]
pub(in crate::task) fn forget_children(task: &Task) {
    if has_ties(task) {
        forget_table(task);
    }
}

#[cold]
fn forget_table(task: &Task) {
    // Generations stay open: who waits closes before, so nobody waits for an open one.
    // SAFETY: as in `table_of`.
    drop(unsafe { Box::from_raw(task.table.replace(ptr::null_mut())) });
}
