//! A place in a team and the implicit task that runs there (OpenMP 5.2 §1.2.5, implicit task).

use core::cell::{Cell, OnceCell};
use core::mem::offset_of;
use core::ops::Deref;

use oxomp_ompd_layout::{Record, fields};

use crate::ompt::event::flags;
use crate::places::{Partition, PlaceNum};
use crate::pool;
use crate::reduction::ReductionState;
use crate::settings;
use crate::task::{Task, Workbench};
use crate::team::Team;
use crate::thread::Thread;
use crate::worksharing::{LoopState, SingleState};

/// Thread number `thread_num` of a team: one implicit task after the other runs here, region by
/// region, on the thread that was hired for the place.
///
/// Invariants:
/// 1. Blocks are never freed: they are kept with their team, and teams with the task under which
///    they were formed, so a thread that forks at the same place again finds its team as it was.
/// 2. While a region runs the cells belong to the thread that executes the task; between regions to
///    the team's primary thread.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct ImplicitTask {
    task: Task,
    team: &'static Team,
    /// Changes in the child of a fork(2) only.
    thread_num: Cell<u32>,
    /// The `single` constructs that it has met; counts along with `Team::single`.
    pub(crate) singles: SingleState,
    /// The place that its thread is bound to.
    place: Cell<PlaceNum>,
    /// The worksharing loop that it executes.
    pub(crate) worksharing: LoopState,
    pub(crate) reduction: ReductionState,
    /// *place-partition-var*.
    partition: Cell<Partition>,
    /// Who executes it.
    pub(crate) thread: Cell<Option<&'static Thread>>,
    /// The team of the parallel regions that are encountered here: by the task, or by the explicit
    /// task that its thread executes, of which only one can be in a region.
    child: OnceCell<&'static Team>,
    /// What its thread has for explicit tasks, in a team of more than one.
    workbench: OnceCell<&'static Workbench>,
}

/// What a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(ImplicitTask {
    task.ompt => ImplicitTaskRecord,
    team => ImplicitTaskParallel,
    thread_num => ImplicitTaskThreadNum,
    task.icvs => ImplicitTaskIcvs,
    thread => ImplicitTaskThread,
    place => ImplicitTaskPlace,
    partition => ImplicitTaskPartition,
});

// A debugger finds the implicit task where `ThreadTask` leads.
const _: () = assert!(offset_of!(ImplicitTask, task) == 0);

// SAFETY: the cells have one user at a time (Invariant 2); regions are ordered by dock and barrier.
unsafe impl Sync for ImplicitTask {}

impl ImplicitTask {
    /// Place `thread_num` of `team`, empty.
    pub(crate) fn create(team: &'static Team, thread_num: u32) -> &'static ImplicitTask {
        let kind = if team.level() == 0 { flags::TASK_INITIAL } else { flags::TASK_IMPLICIT };
        Box::leak(Box::new(ImplicitTask {
            task: Task::implicit(team, kind),
            team,
            thread_num: Cell::new(thread_num),
            singles: SingleState::new(),
            place: Cell::new(PlaceNum::NONE),
            worksharing: LoopState::new(),
            reduction: ReductionState::new(),
            partition: Cell::new(settings::get().places.partition()),
            thread: Cell::new(None),
            child: OnceCell::new(),
            workbench: OnceCell::new(),
        }))
    }

    /// The team of the task.
    #[inline(always)]
    pub fn team(&self) -> &'static Team {
        self.team
    }

    /// Number of the executing thread in the team (`omp_get_thread_num`).
    #[inline(always)]
    pub fn thread_num(&self) -> u32 {
        self.thread_num.get()
    }

    /// In the child of a fork(2): the executing thread has this number from now on.
    pub(crate) fn renumber(&self, thread_num: u32) {
        self.thread_num.set(thread_num);
    }

    /// The place that its thread is bound to, or binds itself to (`Thread::place`).
    #[inline(always)]
    pub(crate) fn place(&self) -> PlaceNum {
        self.place.get()
    }

    /// *place-partition-var*: the places that the regions it encounters may use.
    #[inline(always)]
    pub fn partition(&self) -> Partition {
        self.partition.get()
    }

    /// Sets both, between regions of the team.
    pub(crate) fn assign(&self, place: PlaceNum, partition: Partition) {
        self.place.set(place);
        self.partition.set(partition);
    }

    /// What the place's thread has for explicit tasks. The team has, or had, more than one thread.
    #[inline(always)]
    pub(crate) fn workbench(&self) -> &'static Workbench {
        match self.workbench.get() {
            Some(bench) => bench,
            None => self.equip(),
        }
    }

    /// By the team's primary thread before the place is first in a team of more than one, so that
    /// no two threads do it.
    #[cold]
    pub(crate) fn equip(&self) -> &'static Workbench {
        self.workbench.get_or_init(|| Box::leak(Box::new(Workbench::new(self.thread_num()))))
    }

    /// The workers of the teams under the task go to the pool. Only while no region of those runs.
    pub(crate) fn dismiss_workers(&self) {
        let mut workers = Vec::new();
        if let Some(child) = self.child_if_any() {
            child.disband(&mut |worker| workers.push(worker));
        }
        pool::dismiss(&workers);
    }

    /// The initial task that it lies within.
    pub(crate) fn outermost(&'static self) -> &'static ImplicitTask {
        let mut task = self;
        while let Some(parent) = task.team.parent() {
            task = parent;
        }
        task
    }

    /// The task of `team` that this one is, or lies within; none if it is not in a
    /// region of the team.
    pub(crate) fn within(&'static self, team: &Team) -> Option<&'static ImplicitTask> {
        let mut task = self;
        while !core::ptr::eq(task.team, team) {
            task = task.team.parent()?;
        }
        Some(task)
    }

    /// The same, if it has been equipped.
    pub(crate) fn workbench_if_any(&self) -> Option<&'static Workbench> {
        self.workbench.get().copied()
    }

    /// The team of the regions that this task encounters, if there has been one.
    pub(crate) fn child_if_any(&self) -> Option<&'static Team> {
        self.child.get().copied()
    }

    /// The team of the regions that this task encounters.
    #[inline(always)]
    pub(crate) fn child(&'static self) -> &'static Team {
        match self.child.get() {
            Some(team) => team,
            None => self.create_child(),
        }
    }

    #[cold]
    fn create_child(&'static self) -> &'static Team {
        self.child.get_or_init(|| Team::create(self))
    }
}

/// An implicit task is a task.
impl Deref for ImplicitTask {
    type Target = Task;

    #[inline(always)]
    fn deref(&self) -> &Task {
        &self.task
    }
}
