//! A member of a team and the implicit task that runs there (OpenMP 5.2 §1.2.5, implicit task).

use core::cell::{Cell, OnceCell};
use core::ffi::c_void;
use core::fmt;
use core::mem::offset_of;
use core::ops::Deref;

use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::tree::Offer;

use super::shared::{Shared, shared_fields};
use super::team::IdleTeam;
use super::{Team, Thread};
use crate::ompt::event::flags;
use crate::places::{Partition, PlaceNum};
use crate::reduction::ReductionState;
use crate::settings;
use crate::task::{Task, Workbench};
use crate::word::Word;
use crate::worksharing::{LoopState, SingleState};

/// Thread number `thread_num` of a team: one implicit task after the other runs here, region by
/// region, on the thread that was hired for the member.
///
/// A `&'static ImplicitTask` is the calling thread's own: it is not `Sync`. Others have a
/// `Shared<ImplicitTask>`.
///
/// Invariants:
/// 1. Blocks are never freed: they are kept with their team, and teams with the task under which
///    they were formed, so a thread that forks at the same member again finds its team as it was.
/// 2. While a region runs the block belongs to the thread that executes the task; between regions to
///    the holder of the team's `IdleTeam`.
#[repr(C, align(128))]
pub struct ImplicitTask {
    task: Task,
    team: &'static Team,
    /// Changes in the child of a fork(2) only.
    thread_num: Word<u32>,
    /// The `single` constructs that it has met; counts along with `Team::single`.
    pub(crate) singles: SingleState,
    /// The place that its thread is bound to.
    place: Cell<PlaceNum>,
    /// The worksharing loop that it executes.
    pub(crate) worksharing: LoopState,
    pub(crate) reduction: ReductionState,
    /// *place-partition-var*.
    partition: Cell<Partition>,
    /// The thread that was hired for the member.
    pub(crate) thread: Word<Option<Shared<Thread>>>,
    /// The team of the parallel regions that are encountered here: by the task, or by the explicit
    /// task that its thread executes, of which only one can be in a region.
    child: OnceCell<&'static Team>,
    /// The right to that team, while no region of it runs.
    idle_child: Cell<Option<IdleTeam>>,
    /// What its thread has for explicit tasks, in a team of more than one.
    workbench: Word<Option<&'static Workbench>>,
}

shared_fields! {
    ImplicitTask {
        /// The thread that was hired for the member.
        pub(crate) thread: thread: Word<Option<Shared<Thread>>>,
        /// Where the thread offers what a thread above it in the tree of a reduction combines.
        pub(crate) offer: reduction.offer: Offer<c_void>,
        pub(super) workbench_word: workbench: Word<Option<&'static Workbench>>,
        team_of: team: &'static Team,
        number: thread_num: Word<u32>,
    }
}

impl Shared<ImplicitTask> {
    /// The team of the task.
    #[inline(always)]
    pub fn team(self) -> &'static Team {
        self.team_of()
    }

    /// Number of the executing thread in the team.
    pub fn thread_num(self) -> u32 {
        self.number().get()
    }

    /// What the member has for explicit tasks. The team has, or had, more than one thread.
    #[inline(always)]
    pub(crate) fn workbench(self) -> &'static Workbench {
        match self.workbench_word().get() {
            Some(bench) => bench,
            // `IdleTeam::prepare` equips all members of such a team.
            None => unreachable!("thread {} of a team has no deque", self.thread_num()),
        }
    }

    /// The initial task that it lies within.
    pub(crate) fn outermost(self) -> Shared<ImplicitTask> {
        let mut task = self;
        while let Some(parent) = task.team().parent() {
            task = parent;
        }
        task
    }

    /// The task of `team` that this one is, or lies within; none if it is not in a region of the
    /// team.
    pub(crate) fn within(self, team: &Team) -> Option<Shared<ImplicitTask>> {
        let mut task = self;
        while !core::ptr::eq(task.team(), team) {
            task = task.team().parent()?;
        }
        Some(task)
    }
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

impl ImplicitTask {
    /// Member `thread_num` of `team`, which no thread has.
    pub(super) fn create(team: &'static Team, thread_num: u32) -> &'static ImplicitTask {
        let kind = if team.level() == 0 { flags::TASK_INITIAL } else { flags::TASK_IMPLICIT };
        Box::leak(Box::new(ImplicitTask {
            task: Task::implicit(team, kind),
            team,
            thread_num: Word::of(thread_num),
            singles: SingleState::new(),
            place: Cell::new(PlaceNum::NONE),
            worksharing: LoopState::new(),
            reduction: ReductionState::new(),
            partition: Cell::new(settings::get().places.partition()),
            thread: Word::of(None),
            child: OnceCell::new(),
            idle_child: Cell::new(None),
            workbench: Word::of(None),
        }))
    }

    /// The task, for others.
    #[inline(always)]
    pub fn shared(&'static self) -> Shared<ImplicitTask> {
        Shared::of(self)
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
    pub(super) fn renumber(&self, thread_num: u32) {
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
    pub(super) fn assign(&self, place: PlaceNum, partition: Partition) {
        self.place.set(place);
        self.partition.set(partition);
    }

    /// What the member has for explicit tasks. The team has, or had, more than one thread.
    #[inline(always)]
    pub(crate) fn workbench(&self) -> &'static Workbench {
        match self.workbench.get() {
            Some(bench) => bench,
            None => self.equip(),
        }
    }

    /// What the member has for explicit tasks, if it has been equipped.
    pub(crate) fn workbench_if_any(&self) -> Option<&'static Workbench> {
        self.workbench.get()
    }

    /// Makes that, before the member is first in a team of more than one.
    #[cold]
    pub(super) fn equip(&self) -> &'static Workbench {
        self.workbench.get().unwrap_or_else(|| {
            let bench = &*Box::leak(Box::new(Workbench::new(self.thread_num())));
            self.workbench.set(Some(bench));
            bench
        })
    }

    /// The team of the regions that this task encounters, if there has been one.
    pub(crate) fn child_if_any(&self) -> Option<&'static Team> {
        self.child.get().copied()
    }

    /// Takes the right to the team of the regions that this task encounters, which is there while
    /// none of them runs. It is to be given back when the region is over.
    #[inline(always)]
    pub(crate) fn take_child(&'static self) -> IdleTeam {
        match self.idle_child.take() {
            Some(team) => team,
            None => self.create_child(),
        }
    }

    /// Takes the right to the team, if there is one and no region of it runs.
    pub(crate) fn take_child_if_any(&self) -> Option<IdleTeam> {
        self.idle_child.take()
    }

    /// No region of the team runs.
    #[inline(always)]
    pub(crate) fn give_child_back(&self, team: IdleTeam) {
        self.idle_child.set(Some(team));
    }

    #[cold]
    fn create_child(&'static self) -> IdleTeam {
        let team = Team::create(self);
        // It may be there, and in use: where the program left a region by other means than its end.
        let _ = self.child.set(team.team());
        team
    }
}

impl fmt::Debug for ImplicitTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImplicitTask").field("thread_num", &self.thread_num).finish_non_exhaustive()
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
