//! A place in a team and the implicit task that runs there (OpenMP 5.2 §1.2.5, implicit task).

use core::cell::{Cell, OnceCell, UnsafeCell};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use oxomp_ompd_layout::{Record, fields};

use crate::icv::Icvs;
use crate::ompt::event::{TaskRecord, flags};
use crate::places::{Partition, PlaceNum};
use crate::pool;
use crate::reduction::ReductionState;
use crate::settings;
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
    /// The team's variables, or `own_icvs` once the task has changed one.
    icvs: Cell<*const Icvs>,
    team: &'static Team,
    /// Changes in the child of a fork(2) only.
    thread_num: Cell<u32>,
    number: u32,
    /// The `single` constructs that it has met; counts along with `Team::single`.
    pub(crate) singles: SingleState,
    /// The place that its thread is bound to.
    place: Cell<PlaceNum>,
    /// The worksharing loop that it executes.
    pub(crate) worksharing: LoopState,
    pub(crate) reduction: ReductionState,
    pub ompt: TaskRecord,
    own_icvs: UnsafeCell<Icvs>,
    /// *place-partition-var*.
    partition: Cell<Partition>,
    /// Who executes it.
    pub(crate) thread: Cell<Option<&'static Thread>>,
    /// The team of the parallel regions that the task encounters.
    child: OnceCell<&'static Team>,
}

/// What a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(ImplicitTask {
    ompt => ImplicitTaskRecord,
    team => ImplicitTaskParallel,
    thread_num => ImplicitTaskThreadNum,
    icvs => ImplicitTaskIcvs,
    thread => ImplicitTaskThread,
    place => ImplicitTaskPlace,
    partition => ImplicitTaskPartition,
});

// SAFETY: the cells have one user at a time (Invariant 2); regions are ordered by dock and barrier.
unsafe impl Sync for ImplicitTask {}

/// Number of the block that was made last.
static LAST_NUMBER: AtomicU32 = AtomicU32::new(0);

impl ImplicitTask {
    /// The greatest number that a task has.
    pub(crate) fn last_number() -> u32 {
        LAST_NUMBER.load(Relaxed)
    }

    /// Place `thread_num` of `team`, empty.
    pub(crate) fn create(team: &'static Team, thread_num: u32) -> &'static ImplicitTask {
        let kind = if team.level() == 0 { flags::TASK_INITIAL } else { flags::TASK_IMPLICIT };
        Box::leak(Box::new(ImplicitTask {
            icvs: Cell::new(team.icvs()),
            team,
            thread_num: Cell::new(thread_num),
            number: LAST_NUMBER.fetch_add(1, Relaxed) + 1,
            singles: SingleState::new(),
            place: Cell::new(PlaceNum::NONE),
            worksharing: LoopState::new(),
            reduction: ReductionState::new(),
            ompt: TaskRecord::new(kind, team.record()),
            own_icvs: UnsafeCell::new(*team.icvs()),
            partition: Cell::new(settings::get().places.partition()),
            thread: Cell::new(None),
            child: OnceCell::new(),
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

    /// Number of the block in the process, from 1: that of the task among those that exist.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        self.number
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

    /// The internal control variables of the task's data environment.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: the team's or our own block, both never freed; the team's changes between regions
        // only and our own through `change_icvs`, on the thread that calls here (Invariant 2).
        unsafe { &*self.icvs.get() }
    }

    /// Changes variables of this task; those of the other tasks stay.
    pub fn change_icvs(&self, change: impl FnOnce(&mut Icvs)) {
        let mut icvs = *self.icvs();
        change(&mut icvs);
        // SAFETY: only the executing thread gets here (Invariant 2), and it holds no reference from
        // `icvs` across the call.
        unsafe { *self.own_icvs.get() = icvs };
        self.icvs.set(self.own_icvs.get());
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

    /// The task of `team` that this one is, or lies within; none if it is not in a region of the team.
    pub(crate) fn within(&'static self, team: &Team) -> Option<&'static ImplicitTask> {
        let mut task = self;
        while !core::ptr::eq(task.team, team) {
            task = task.team.parent()?;
        }
        Some(task)
    }

    /// A new implicit task starts here, with the variables of its team.
    #[inline(always)]
    pub(crate) fn inherit_icvs(&self) {
        self.icvs.set(self.team.icvs());
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
