//! A member of a team and the implicit task that runs there (OpenMP 5.2 §1.2.5, implicit task).

use core::cell::Cell;
use core::ffi::c_void;
use core::fmt;
use core::mem::offset_of;
use core::ops::Deref;
use core::ptr;

use oxomp_base::inside::inside;
use oxomp_base::places::{Partition, PlaceNum};
use oxomp_base::settings;
use oxomp_base::word::Word;
use oxomp_ompd_layout::{Field, Record, fields};
use oxomp_protocol::Alone;
use oxomp_protocol::barrier::Ended;
use oxomp_protocol::tree::Offer;

use super::shared::{Shared, shared_fields};
use super::team::IdleTeam;
use super::{Team, Thread};
use crate::cancel::CancelState;
use crate::ompt::event::flags;
use crate::reduction::ReductionState;
use crate::task::{MemberTasks, OwnMemberTasks, Task};
use crate::worksharing::{LoopState, SingleState};

/// A member of a team: thread number `thread_num`. In each region of the team the thread that was
/// hired for the member executes one implicit task in this block.
///
/// A `&'static ImplicitTask` is a member that the calling thread owns: the type is not `Sync`.
/// Other threads have a `Shared<ImplicitTask>`.
///
/// Invariants:
/// 1. Blocks are never freed: they are kept with their team, and teams with the task under which
///    they were formed, so a thread that encounters its next region as the same member finds its
///    teams as they were.
/// 2. While a region runs, the thread that executes the implicit task owns the block; between
///    regions the holder of the team's `IdleTeam` does.
#[repr(C, align(128))]
pub struct ImplicitTask {
    task: Task,
    team: &'static Team,
    /// The number of the member in its team. It changes in the child of a fork(2) only.
    thread_num: Word<u32>,
    /// The `single` regions that the member has encountered; compared with `Team::single`.
    pub(crate) singles: SingleState,
    /// The OpenMP place that the member's thread is bound to.
    place: Word<PlaceNum>,
    /// The worksharing loop that the member executes.
    pub(crate) worksharing: LoopState,
    pub(crate) reduction: ReductionState,
    /// The member's part in the end of a region that may be cancelled.
    pub(crate) cancel: CancelState,
    /// *place-partition-var*.
    partition: Word<Partition>,
    /// The thread that was hired for the member.
    pub(crate) thread: Word<Option<Shared<Thread>>>,
    /// The team of the parallel regions that the member's thread encounters, in the implicit task
    /// or in an explicit task that it executes. Only one of these tasks can be in a region at a
    /// time.
    child: Cell<Option<&'static Team>>,
    /// The right to `child`, while no region of that team runs.
    idle_child: Cell<Option<IdleTeam>>,
    /// The right to a second team for these regions, once a region of one thread has followed
    /// larger ones: one of the two serves regions of one thread and has no workers. `child` is the
    /// team of the present or last region.
    idle_other: Cell<Option<IdleTeam>>,
    /// The team of the initial task of the target regions that the member's thread executes.
    target: Cell<Option<&'static Team>>,
    /// The right to `target`, while no such region runs.
    idle_target: Cell<Option<IdleTeam>>,
    /// The state that the member's thread needs for explicit tasks; `None` in a team of one thread.
    member_tasks: Word<Option<&'static MemberTasks>>,
    /// The team of the initial tasks that the member executes where the region is a league.
    league_team: Cell<Option<&'static Team>>,
    /// The right to `league_team`, while the member executes no initial task.
    idle_league_team: Cell<Option<IdleTeam>>,
}

shared_fields! {
    ImplicitTask {
        /// The thread that was hired for the member.
        pub(crate) thread: thread: Word<Option<Shared<Thread>>>,
        /// The partial result that the thread offers to its parent in the combining tree of a
        /// reduction.
        pub(crate) offer: reduction.offer: Offer<c_void>,
        /// The region that the member's thread has ended last, where regions may be cancelled.
        pub(crate) ended: cancel.ended: Ended,
        pub(super) member_tasks_word: member_tasks: Word<Option<&'static MemberTasks>>,
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

    /// The task region itself.
    pub(crate) fn task(self) -> Shared<Task> {
        // SAFETY: the field lies in a block of this type, which is never freed.
        unsafe { Shared::at(ptr::NonNull::new_unchecked(&raw mut (*self.as_ptr()).task)) }
    }

    /// Number of the executing thread in the team.
    pub fn thread_num(self) -> u32 {
        self.number().get()
    }

    /// The state of the member for explicit tasks, as far as any thread may access it. Only for a
    /// member of a team that has, or had, more than one thread.
    #[inline(always)]
    pub(crate) fn member_tasks(self) -> &'static MemberTasks {
        match self.member_tasks_word().get() {
            Some(tasks) => tasks,
            // `IdleTeam::prepare` equips all members of such a team.
            None => unreachable!("thread {} of a team has no deque", self.thread_num()),
        }
    }

    /// The task whose team is the region that a tool sees around this task: for an initial task of
    /// a league, the member of the league that executes it.
    pub(crate) fn in_region(self) -> Shared<ImplicitTask> {
        match self.team().parent() {
            Some(member) if self.team().is_of_league() => member,
            _ => self,
        }
    }

    /// The root's initial task that encloses this task.
    pub(crate) fn outermost(self) -> Shared<ImplicitTask> {
        let mut task = self;
        while let Some(parent) = task.team().parent() {
            task = parent;
        }
        task
    }

    /// The implicit task of `team` that this task is or is nested in; `None` if it is not in a
    /// region of the team.
    pub(crate) fn within(self, team: &Team) -> Option<Shared<ImplicitTask>> {
        let mut task = self;
        while !ptr::eq(task.team(), team) {
            task = task.team().parent()?;
        }
        Some(task)
    }
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(ImplicitTask {
    task.ompt => ImplicitTaskRecord,
    team => ImplicitTaskParallel,
    thread_num => ImplicitTaskThreadNum,
    task.icvs => ImplicitTaskIcvs,
    thread => ImplicitTaskThread,
    place => ImplicitTaskPlace,
    partition => ImplicitTaskPartition,
    worksharing => ImplicitTaskLoop,
    member_tasks => ImplicitTaskMemberTasks,
    reduction.has_lock => ImplicitTaskHasReduction,
});

/// The field that a debugger reads of the protocol's type.
pub(crate) const OFFER_FIELDS: &[Record] = &[inside(
    Field::ImplicitTaskOffer,
    offset_of!(ImplicitTask, reduction.offer),
    |task: &ImplicitTask| &task.reduction.offer,
    &Offer::LIST,
)];

// A debugger finds the implicit task where `ThreadTask` leads.
const _: () = assert!(offset_of!(ImplicitTask, task) == 0);

impl ImplicitTask {
    /// Creates member `thread_num` of `team`, for which no thread has been hired.
    pub(super) fn create(team: &'static Team, thread_num: u32) -> &'static ImplicitTask {
        let is_initial = team.level() == 0 || team.is_of_league();
        let kind = if is_initial { flags::TASK_INITIAL } else { flags::TASK_IMPLICIT };
        Box::leak(Box::new(ImplicitTask {
            task: Task::implicit(team, kind),
            team,
            thread_num: Word::of(thread_num),
            singles: SingleState::new(),
            place: Word::of(PlaceNum::NONE),
            worksharing: LoopState::new(),
            reduction: ReductionState::new(),
            cancel: CancelState::new(),
            partition: Word::of(settings::get().places.partition()),
            thread: Word::of(None),
            child: Cell::new(None),
            idle_child: Cell::new(None),
            idle_other: Cell::new(None),
            target: Cell::new(None),
            idle_target: Cell::new(None),
            member_tasks: Word::of(None),
            league_team: Cell::new(None),
            idle_league_team: Cell::new(None),
        }))
    }

    /// The block in the form that other threads may have.
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

    /// In the child of a fork(2): gives the executing thread this number.
    pub(super) fn renumber(&self, thread_num: u32, _: &Alone) {
        self.thread_num.set(thread_num);
    }

    /// The OpenMP place that the member's thread is bound to, or will bind itself to
    /// (`Thread::place`).
    #[inline(always)]
    pub(crate) fn place(&self) -> PlaceNum {
        self.place.get()
    }

    /// *place-partition-var*: the places that the regions which the task encounters may use.
    #[inline(always)]
    pub fn partition(&self) -> Partition {
        self.partition.get()
    }

    /// Sets place and partition, between regions of the team.
    pub(super) fn assign(&self, place: PlaceNum, partition: Partition) {
        self.place.set(place);
        self.partition.set(partition);
    }

    /// Sets place and partition to those of `outer`, whose thread executes this task too.
    pub(crate) fn assign_as(&self, outer: &ImplicitTask) {
        self.assign(outer.place(), outer.partition());
    }

    /// The state of the member for explicit tasks. Only for a member of a team that has, or had,
    /// more than one thread.
    #[inline(always)]
    pub fn member_tasks(&self) -> OwnMemberTasks<'_> {
        let tasks = match self.member_tasks.get() {
            Some(tasks) => tasks,
            None => self.equip(),
        };
        // SAFETY: they are those of this member.
        unsafe { OwnMemberTasks::of(self, tasks) }
    }

    /// The state of the member for explicit tasks, if `equip` has made it.
    pub(crate) fn member_tasks_if_any(&self) -> Option<OwnMemberTasks<'_>> {
        // SAFETY: they are those of this member.
        self.member_tasks.get().map(|tasks| unsafe { OwnMemberTasks::of(self, tasks) })
    }

    /// Makes the state of the member for explicit tasks, unless it has one: before the team first
    /// has more than one thread.
    #[cold]
    pub(super) fn equip(&self) -> &'static MemberTasks {
        self.member_tasks.get().unwrap_or_else(|| {
            let tasks = &*Box::leak(Box::new(MemberTasks::new(self.thread_num())));
            self.member_tasks.set(Some(tasks));
            tasks
        })
    }

    /// The teams of the regions that this task encounters: that of the present or last region, and
    /// the other one.
    pub(crate) fn children(&self) -> [Option<&'static Team>; 2] {
        let other = self.idle_other.take();
        let team = other.as_ref().map(IdleTeam::team);
        self.idle_other.set(other);
        [self.child.get(), team]
    }

    /// Takes the right to the team of the regions that this task encounters, and creates the team
    /// at the first region. The caller gives the right back when its region is over.
    #[inline(always)]
    pub(crate) fn take_child(&'static self) -> IdleTeam {
        match self.idle_child.take() {
            Some(team) => team,
            None => self.create_child(),
        }
    }

    /// The right to the team that serves a region of `size` threads: one thread, or more. `team` is
    /// that of the last region. A second team is created where a region of one thread follows
    /// larger ones, so that the team with the workers stays formed.
    #[inline(never)]
    pub(crate) fn choose_child(&'static self, mut team: IdleTeam, size: u32) -> IdleTeam {
        let serves_one = !team.has_workers();
        if serves_one == (size == 1) {
            return team;
        }
        let other = match self.idle_other.take() {
            None if serves_one => return team,
            None => Team::create(self),
            Some(other) => other,
        };
        self.idle_other.set(Some(team));
        self.child.set(Some(other.team()));
        other
    }

    /// Calls `visit` with each team without a running region that was formed under this task.
    pub(crate) fn with_idle_teams(&self, visit: &mut dyn FnMut(&mut IdleTeam)) {
        // Taken while `visit` runs, and given back at once.
        let teams = [&self.idle_child, &self.idle_other, &self.idle_league_team, &self.idle_target];
        for idle in teams {
            if let Some(mut team) = idle.take() {
                visit(&mut team);
                idle.set(Some(team));
            }
        }
    }

    /// The team of the initial task of the target regions that this task encounters, if it has
    /// encountered one.
    pub(crate) fn target_if_any(&self) -> Option<&'static Team> {
        self.target.get()
    }

    /// Takes the right to the team of the initial task of the target regions that this task
    /// encounters, and creates the team at the first region. The caller gives the right back when
    /// its region is over.
    pub(crate) fn take_target(&'static self) -> IdleTeam {
        self.idle_target.take().unwrap_or_else(|| {
            // As for `child`, the program may have left a region by other means than its end.
            let team = Team::create_nested_initial(self);
            self.target.set(Some(team.team()));
            team
        })
    }

    /// Gives back the right to `team`, the team of target regions, of which no region runs.
    pub(crate) fn give_target_back(&self, team: IdleTeam) {
        self.idle_target.set(Some(team));
    }

    /// Gives back the right to `team`, of which no region runs.
    #[inline(always)]
    pub(crate) fn give_child_back(&self, team: IdleTeam) {
        self.idle_child.set(Some(team));
    }

    /// In the child of a fork(2): makes `team`, of which no region runs, the team of the last
    /// region, unless it is the other one. There is one right to each afterwards, whatever a thread
    /// that is gone was about to store.
    pub(super) fn restore_child(&self, team: IdleTeam, _: &Alone) {
        let [_, other] = self.children();
        let is = |one: Option<&Team>| one.is_some_and(|one| ptr::eq(one, team.team()));
        let last = self.idle_child.take();
        if !is(other) {
            self.idle_child.set(Some(team));
        } else if !is(last.as_ref().map(IdleTeam::team)) {
            self.idle_child.set(last);
        }
    }

    /// The team of the initial tasks that the member executes in leagues, if it has executed one.
    pub(crate) fn league_team_if_any(&self) -> Option<&'static Team> {
        self.league_team.get()
    }

    /// Takes the right to the team of the initial tasks that the member executes in leagues, and
    /// creates the team at the first. The caller gives the right back when the task is complete.
    pub(crate) fn take_league_team(&'static self) -> IdleTeam {
        self.idle_league_team.take().unwrap_or_else(|| {
            let team = Team::create_in_league(self);
            self.league_team.set(Some(team.team()));
            team
        })
    }

    /// Gives back the right to `team`, that of an initial task which is complete.
    pub(crate) fn give_league_team_back(&self, team: IdleTeam) {
        self.idle_league_team.set(Some(team));
    }

    #[cold]
    fn create_child(&'static self) -> IdleTeam {
        // If there is a team, it is in use: the program left a region by other means than its end.
        // The newest takes its place here.
        let team = Team::create(self);
        self.child.set(Some(team.team()));
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
