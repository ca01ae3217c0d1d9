//! The choice of the task that a thread executes next, and the waits inside of a task during which
//! it may execute others (OpenMP 5.2 §12.9, task scheduling points). README.md in this folder has
//! the steps and the argument.

use oxomp_base::os;
use oxomp_protocol::depend::WaitCount;
use oxomp_protocol::patience::Patience;
use oxomp_protocol::task::{Search, find_in_deques, find_task};
use oxomp_protocol::{pause, yield_now};

use super::execute::execute;
use super::scheduling_point::SchedulingPoint;
use super::{OwnMemberTasks, Task, target};
use crate::block::{ImplicitTask, Shared, Team, Thread};
use crate::ompt::event::TaskStatus;

/// Takes a task that the thread may execute out of its queue. If there is an `ancestor`, the task
/// is a descendant of it. (The task scheduling constraint: each task that is suspended on the
/// thread's stack, except in a barrier, is an ancestor of the tasks above it, so a descendant of
/// the current task descends from all of them.)
#[inline(always)]
fn find(thread: &Thread, ancestor: Option<&Task>) -> Option<&'static Task> {
    let member = thread.implicit_task();
    let team = member.team();
    let queue = &team.tasking.queue;
    find_task(
        queue.looks_empty(),
        || queue.take(|task| suits(task, ancestor)),
        || if team.size() == 1 { None } else { search_deques(member, team, ancestor) },
    )
}

/// Whether a thread may execute the task: a descendant of `ancestor`, if there is one.
#[inline(always)]
fn suits(task: Shared<Task>, ancestor: Option<&Task>) -> bool {
    ancestor.is_none_or(|ancestor| task.descends_from(ancestor))
}

/// Takes a task out of the thread's own deque, or steals one.
fn search_deques(
    member: &ImplicitTask,
    team: &Team,
    ancestor: Option<&Task>,
) -> Option<&'static Task> {
    find_in_deques(InDeques { member, tasks: member.member_tasks(), team, ancestor })
}

/// A thread that looks for a task in the deques of its team.
#[derive(Clone, Copy)]
struct InDeques<'a> {
    member: &'a ImplicitTask,
    tasks: OwnMemberTasks<'a>,
    team: &'a Team,
    ancestor: Option<&'a Task>,
}

impl Search for InDeques<'_> {
    type Task = &'static Task;

    #[inline(always)]
    fn size(self) -> u32 {
        self.team.size()
    }

    #[inline(always)]
    fn number(self) -> u32 {
        self.member.thread_num()
    }

    #[inline(always)]
    fn pop(self) -> Option<&'static Task> {
        let youngest = self.tasks.youngest();
        if youngest.is_some_and(|task| suits(task, self.ancestor)) {
            self.tasks.pop()
        } else {
            None
        }
    }

    #[inline(always)]
    fn steal(self, victim: u32) -> Option<&'static Task> {
        self.team.member_tasks(victim).steal(|task| suits(task, self.ancestor))
    }

    #[inline(always)]
    fn victim(self) -> u32 {
        self.tasks.victim()
    }

    #[inline(always)]
    fn set_victim(self, victim: u32) {
        self.tasks.set_victim(victim);
    }
}

/// Takes the youngest task of the thread's own deque that descends from `ancestor`, and moves the
/// tasks above it into the team's queue: the whole deque if there is no descendant.
///
/// Called by a thread that waits and has found no other task. The youngest task of its deque does
/// not descend from the current task, mostly because no task of the deque does; README.md, Which
/// thread runs which task, has the other cases.
#[cold]
fn publish_own_deque(member: &ImplicitTask, ancestor: &Task) -> Option<&'static Task> {
    let tasks = member.member_tasks();
    while let Some(task) = tasks.pop() {
        if task.shared().descends_from(ancestor) {
            return Some(task);
        }
        tasks.set_moved(tasks.moved().saturating_add(1));
        member.team().tasking.queue.push(task);
    }
    None
}

/// Executes a task, or ends one whose device work is done. Returns whether there was one.
/// `ancestor` restricts the choice as for `find`; `status` says why the thread suspends its current
/// task.
#[inline(always)]
pub(super) fn run_one(
    thread: &'static Thread,
    ancestor: Option<&Task>,
    status: TaskStatus,
) -> bool {
    let team = thread.implicit_task().team();
    let on_device = &team.tasking.on_device;
    if on_device.is_due() && target::poll(thread, team) {
        return true;
    }
    match find(thread, ancestor) {
        Some(task) => {
            execute(thread, task, status);
            true
        }
        None => !on_device.looks_empty() && target::poll(thread, team),
    }
}

/// The back-off of a thread that finds no task: it polls less and less often, then yields between
/// polls, then sleeps for an eighth of the time that it has waited, which bounds its delay.
///
/// No thread has to wake it, so the threads that wait cost a generating thread nothing
/// (`task_one_producer` with more threads than processors).
pub(super) struct Idle {
    looks: u32,
    since: u64,
}

/// The longest nap, which is also the longest delay until a sleeping thread notices a task.
const LONGEST_NAP_NS: u64 = 1_000_000;
/// The most pauses between two polls of the other threads' deques: each poll takes a cache line
/// from the deque's owner (`task_one_producer`, 2 threads).
const MOST_PAUSES: u32 = 32;

/// The polls without a task after which a waiting thread moves entries of its deque into the team's
/// queue. They take some microseconds, in which most stolen children are complete (`task_tree`).
const LOOKS_BEFORE_PUBLISHING: u32 = 16;

impl Idle {
    pub(super) fn new() -> Self {
        Idle { looks: 0, since: 0 }
    }

    /// Waits until the next poll: `nap` sleeps for a number of nanoseconds.
    pub(super) fn wait(&mut self, patience: Patience, nap: impl FnOnce(u64)) {
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

/// Executes descendants of the current task while `is_pending` returns true.
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

/// Executes descendants of the current task until the waits that `count` counts are over. In the
/// child of a fork(2) that one of these tasks has called, the threads that would tell of it are
/// gone: then it returns, too.
pub(super) fn wait_for(thread: &'static Thread, count: &WaitCount) {
    let times_lost = &thread.team().tasking.times_lost;
    let before = times_lost.get();
    run_while(thread, || !count.is_over() && times_lost.get() == before);
}
