//! Which task a thread runs next, and how it waits where it may run some (OpenMP 5.2 §12.9, task
//! scheduling points). Steps and argument: README.md beside this file.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Acquire;

use oxomp_protocol::patience::Patience;
use oxomp_protocol::{pause, yield_now};

use super::execute::execute;
use super::scheduling_point::SchedulingPoint;
use super::{Task, target};
use crate::block::{ImplicitTask, Shared, Team, Thread};
use crate::ompt::event::TaskStatus;
use crate::os;

/// A task that the thread may run, taken out of its queue; only descendants of `ancestor`, if there
/// is one (the task scheduling constraint: what is suspended on the thread's stack, except in a
/// barrier, are ancestors of each other, and all of the innermost).
#[inline(always)]
fn find(thread: &Thread, ancestor: Option<&Task>) -> Option<&'static Task> {
    let place = thread.implicit_task();
    let team = place.team();
    let suits = |task: Shared<Task>| ancestor.is_none_or(|ancestor| task.descends_from(ancestor));
    if !team.tasking.queue.looks_empty()
        && let Some(task) = team.tasking.queue.take(suits)
    {
        return Some(task);
    }
    if team.size() == 1 {
        return None;
    }
    find_in_deques(place, team, suits)
}

fn find_in_deques(
    place: &ImplicitTask,
    team: &Team,
    suits: impl Fn(Shared<Task>) -> bool,
) -> Option<&'static Task> {
    let bench = place.workbench();
    if bench.youngest().is_some_and(&suits)
        && let Some(task) = bench.pop()
    {
        return Some(task);
    }
    steal(place, team, suits)
}

/// The youngest task of the thread's own deque that descends from `ancestor`; those above it go
/// into the team's queue, all of the deque if there is none.
///
/// For a thread that waits and has found nothing else. The youngest task of its deque is none of
/// the current task's, mostly because the current task has none there: README.md, Who runs which
/// task, has the others.
#[cold]
fn publish_own_deque(place: &ImplicitTask, ancestor: &Task) -> Option<&'static Task> {
    let bench = place.workbench();
    while let Some(task) = bench.pop() {
        if task.shared().descends_from(ancestor) {
            return Some(task);
        }
        bench.moved.set(bench.moved.get().saturating_add(1));
        place.team().tasking.queue.push(task);
    }
    None
}

/// Steals from the thread that had some last, else from one after the other.
fn steal(
    place: &ImplicitTask,
    team: &Team,
    suits: impl Fn(Shared<Task>) -> bool,
) -> Option<&'static Task> {
    let bench = place.workbench();
    let (size, me, first) = (team.size(), place.thread_num(), bench.victim.get());
    for step in 0..size {
        let victim = (first + step) % size;
        if victim == me {
            continue;
        }
        let others = team.workbench(victim);
        if others.looks_empty() {
            continue;
        }
        if let Some(task) = others.steal(&suits) {
            bench.victim.set(victim);
            return Some(task);
        }
    }
    None
}

/// Runs a task, or ends one whose work on a device is done: whether there was one. `ancestor` as
/// for `find`, `status` says why the current task is suspended.
#[inline(always)]
pub(super) fn run_one(
    thread: &'static Thread,
    ancestor: Option<&Task>,
    status: TaskStatus,
) -> bool {
    let team = thread.implicit_task().team();
    let on_device = &team.tasking.on_device;
    if on_device.is_due() && target::ask(thread, team) {
        return true;
    }
    match find(thread, ancestor) {
        Some(task) => {
            execute(thread, task, status);
            true
        }
        None => !on_device.looks_empty() && target::ask(thread, team),
    }
}

/// A thread that finds nothing: it looks less and less often, then yields between the looks, then
/// sleeps for an eighth of the time that it has waited, so that it is late by no more than that.
///
/// Nobody has to wake it: making a task costs nothing for those who wait (`task_one_producer` with
/// more threads than processors).
struct Idle {
    looks: u32,
    since: u64,
}

/// A longest nap: what a sleeper notices late at most.
const LONGEST_NAP_NS: u64 = 1_000_000;
/// Pauses between looks at other threads' deques: each look takes the line from its owner
/// (`task_one_producer`, 2 threads).
const MOST_PAUSES: u32 = 32;

/// Looks in vain after which a thread that waits moves entries of its deque into the team's queue: some
/// microseconds, in which most stolen children are complete (`task_tree`).
const LOOKS_BEFORE_PUBLISHING: u32 = 16;

impl Idle {
    fn new() -> Self {
        Idle { looks: 0, since: 0 }
    }

    fn wait(&mut self, patience: Patience, nap: impl FnOnce(u64)) {
        self.looks += 1;
        let spins = patience.spins / MOST_PAUSES;
        if self.looks <= spins {
            for _ in 0..self.looks.min(MOST_PAUSES) {
                pause();
            }
            return;
        }
        let now = os::monotonic_ns();
        if self.since == 0 {
            self.since = now;
        }
        let waited = now - self.since;
        if waited < patience.nanoseconds_now() {
            yield_now();
        } else {
            nap((waited / 8).clamp(1, LONGEST_NAP_NS));
        }
    }
}

/// Runs tasks until `is_pending` is over: descendants of the current task only.
pub(super) fn run_while(thread: &'static Thread, mut is_pending: impl FnMut() -> bool) {
    let task = thread.task();
    let team = thread.team();
    let point = SchedulingPoint::begin(thread);
    let mut idle = Idle::new();
    while is_pending() {
        point.look();
        if run_one(thread, Some(task), TaskStatus::Switch) {
            idle = Idle::new();
        } else if team.size() != 1
            && idle.looks == LOOKS_BEFORE_PUBLISHING
            && let Some(found) = publish_own_deque(thread.implicit_task(), task)
        {
            execute(thread, found, TaskStatus::Switch);
            idle = Idle::new();
        } else {
            point.rest();
            idle.wait(team.patience(), os::sleep);
        }
    }
}

/// A thread at a barrier, whose implicit task is done for now: it runs tasks of its team until the
/// last thread has arrived and none is left. Returns at once if there is nothing to help with;
/// false if there may be, but the barrier `is_over`.
///
/// A called thread may come late. If the barrier is over by then, the gate may be open for
/// what comes after it, and would not be closed before this thread has gone on to the next barrier.
#[cold]
pub(crate) fn help_until_released(
    thread: &'static Thread,
    place: &ImplicitTask,
    is_over: impl Fn() -> bool,
) -> bool {
    let team = place.team();
    let tally = &place.workbench().tally;
    let gate = &team.tasking.gate;
    if !gate.enter(tally) {
        return true;
    }
    if is_over() {
        gate.leave(tally);
        return false;
    }
    let point = SchedulingPoint::begin(thread);
    let mut idle = Idle::new();
    while gate.is_open() && !is_over() {
        point.look();
        if run_one(thread, None, TaskStatus::Switch) {
            idle = Idle::new();
        } else {
            point.rest();
            idle.wait(team.patience(), |nanoseconds| gate.sleep(nanoseconds));
        }
    }
    // The place may be another thread's once the helper has left.
    drop(point);
    gate.leave(tally);
    true
}

/// The last thread to arrive at a barrier: it runs tasks until all are complete.
pub(crate) fn run_all(thread: &'static Thread, team: &Team) {
    if team.tasking.gate.may_hide_tasks(&team.tasking.outstanding) {
        run_to_the_end(thread, team);
    }
}

#[cold]
fn run_to_the_end(thread: &'static Thread, team: &Team) {
    let point = SchedulingPoint::begin(thread);
    let mut idle = Idle::new();
    loop {
        point.look();
        if run_one(thread, None, TaskStatus::Switch) {
            idle = Idle::new();
        } else if team.is_quiescent() {
            break;
        } else {
            point.rest();
            idle.wait(team.patience(), os::sleep);
        }
    }
    if team.size() != 1 && team.tasking.gate.is_open() {
        team.tasking.gate.close(|place| &team.workbench(place).tally, team.size());
        // The others wait for the release now; a thread that makes a task after it calls them anew.
        team.barrier().hush();
    }
}

/// Runs tasks until a word that other threads count down is 0, or they have gone: one of the tasks
/// has forked, and this is the child.
pub(super) fn wait_for_zero(thread: &'static Thread, word: &AtomicU32) {
    let losses = &thread.team().tasking.losses;
    let before = losses.get();
    // Acquire: what was counted down to is over, and seen.
    run_while(thread, || word.load(Acquire) != 0 && losses.get() == before);
}
