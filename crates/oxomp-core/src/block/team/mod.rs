//! A team of threads, kept from region to region (OpenMP 5.2 §1.2.3, team).

mod arrange;
mod forget;
mod form;
mod idle;
mod league;
mod membership;
mod region;

use core::mem::MaybeUninit;
use core::sync::atomic::AtomicU32;

use oxomp_base::icv::Icvs;
use oxomp_base::word::Word;
use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::barrier::Barrier;
use oxomp_protocol::patience::Patience;

pub(crate) use form::Supply;
pub use idle::IdleTeam;
pub(crate) use region::ToldTarget;

use oxomp_arch::BorrowedSite;

use self::idle::SetBetweenRegions;
use self::membership::{Member, Membership};
use self::region::{Encounter, Region};
use super::contention_group::ContentionGroup;
use super::shared::Shared;
use super::{ImplicitTask, Thread};
use crate::cancel::CancelledConstructs;
use crate::copyprivate::Published;
use crate::ompt::event::ParallelRecord;
use crate::task::{Task, Taskgroup, Tasking};
use crate::worksharing::{InFlight, LoopRing, WorksharingLoop};

/// The threads that execute a parallel region, and the state that they share.
///
/// Every thread may have a `&Team`: each field has a type made for sharing, is a `Word`, or is
/// accessed through an `IdleTeam`.
///
/// Invariants:
/// 1. A team is never freed: it stays with the task that formed it, and serves that task's later
///    regions.
/// 2. Only the holder of the team's `IdleTeam` writes `region` and `membership`. Members read them
///    in a region: their dock orders these reads after the writes, and the barrier that ends the
///    region orders them before the next writes. One field is different: the primary thread of a
///    nested team sets `crowded_below` during the region of this team; it is a word, and a hint.
/// 3. The array of members only grows, and neither a member nor a replaced array is freed. Members
///    from 1 to `Membership::hired - 1` have a worker, idle or at work for this team.
/// 4. A barrier that the team has used is never freed: a worker may still be leaving it, to report
///    the end of the region, after the primary thread has gone on.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct Team {
    // Fixed for the team.
    level: u32,
    /// Whether it is a team of a league: that of an initial task which `parent` executes.
    is_of_league: bool,
    parent: Option<Shared<ImplicitTask>>,
    group: &'static ContentionGroup,

    // The present region.
    region: Region,
    record: ParallelRecord,
    /// The array of the members.
    members: Word<*const Member<ImplicitTask>>,

    encounter: Encounter,

    // Kept from region to region.
    membership: SetBetweenRegions<Membership<ImplicitTask>>,

    // State that constructs share.
    /// Explicit tasks of the team.
    pub(crate) tasking: Tasking,
    /// Loops in flight.
    pub(crate) loops: LoopRing,
    pub(crate) single: SingleCount,
    pub(crate) published: Published,
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Team as Parallel {
    record.generation => ParallelGeneration,
    region.size => ParallelSize,
    level => ParallelLevel,
    region.active_level => ParallelActiveLevel,
    parent => ParallelEncountering,
    members => ParallelTasks,
    region.barrier => ParallelBarrier,
    region.barrier => ParallelBarrierWords,
    region.cancelled.constructs => ParallelCancelled,
    record.data => ParallelData,
    encounter.outlined => ParallelFunction,
    encounter.return_address => ParallelReturnAddress,
    encounter.task => ParallelEncounteringTask,
    group => ParallelContentionGroup,
    is_of_league => ParallelIsOfLeague,
    encounter.league_size => ParallelLeagueSize,
});

/// The number of `single` regions that a thread has taken; alone on its cache line.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct SingleCount(pub(crate) AtomicU32);

const _: () = {
    const fn is_sync<T: Sync>() {}
    is_sync::<Team>();
};

impl Team {
    /// Creates the team of the regions that `parent` will encounter, with one member.
    pub(super) fn create(parent: &'static ImplicitTask) -> IdleTeam {
        let outer = parent.team();
        let region = Region::new(outer.active_level(), outer.concurrency(), parent.icvs());
        Self::leak(outer.level + 1, false, Some(parent.shared()), outer.group, region).0
    }

    /// Creates the team of the initial task of the target regions that `parent` will encounter: one
    /// thread, level 0, a contention group of its own.
    pub(super) fn create_nested_initial(parent: &'static ImplicitTask) -> IdleTeam {
        let icvs = parent.icvs();
        let group = Box::leak(Box::new(ContentionGroup::new(icvs.thread_limit_var)));
        let region = Region::new(0, parent.team().concurrency(), icvs);
        Self::leak(0, false, Some(parent.shared()), group, region).0
    }

    /// Creates the team of a root's initial task, together with the task: one thread, level 0.
    pub(crate) fn create_initial(
        icvs: Icvs,
        group: &'static ContentionGroup,
    ) -> &'static ImplicitTask {
        Self::leak(0, false, None, group, Region::new(0, 1, icvs)).1
    }

    /// Creates the team of the initial tasks that `member` will execute in leagues. Its level is
    /// that of the task that encountered the league; `prepare_initial` sets the rest.
    pub(super) fn create_in_league(member: &'static ImplicitTask) -> IdleTeam {
        let icvs = *member.team().region.icvs.read(member);
        let group = Box::leak(Box::new(ContentionGroup::new(icvs.thread_limit_var)));
        let level = member.team().parent.map_or(0, |outer| outer.team().level);
        Self::leak(level, true, Some(member.shared()), group, Region::new(0, 1, icvs)).0
    }

    /// Makes a team where it stays. It takes several kilobytes, which a root with the least stack
    /// that a thread may have (`PTHREAD_STACK_MIN`) has no room for.
    fn leak(
        level: u32,
        is_of_league: bool,
        parent: Option<Shared<ImplicitTask>>,
        group: &'static ContentionGroup,
        region: Region,
    ) -> (IdleTeam, &'static ImplicitTask) {
        let place: &'static mut MaybeUninit<Team> = Box::leak(Box::new_uninit());
        let at = place.as_mut_ptr();
        // SAFETY: `at` is memory for a team, which the calling thread alone knows; each pointer is
        // to a field of it, and nothing is read.
        unsafe {
            (&raw mut (*at).level).write(level);
            (&raw mut (*at).is_of_league).write(is_of_league);
            (&raw mut (*at).parent).write(parent);
            (&raw mut (*at).group).write(group);
            (&raw mut (*at).region).write(region);
            (&raw mut (*at).record).write(ParallelRecord::default());
            (&raw mut (*at).members)
                .write(Word::<*const Member<ImplicitTask>>::new(core::ptr::null()));
            (&raw mut (*at).encounter).write(Encounter::none());
            (&raw mut (*at).membership).write(SetBetweenRegions::new(Membership::default()));
            (&raw mut (*at).tasking).write(Tasking::new());
            (&raw mut (*at).single).write(SingleCount(AtomicU32::new(0)));
            (&raw mut (*at).published).write(Published::new());
            LoopRing::make(&mut *(&raw mut (*at).loops).cast(), 1, InFlight::new);
        }
        // SAFETY: every field has been written: `of_every_field` names them all.
        let team: &'static Team = unsafe { place.assume_init_ref() };
        of_every_field(team);
        let primary = ImplicitTask::create(team, 0);
        (IdleTeam::of_new(team, primary.shared()), primary)
    }

    /// Number of threads (`omp_get_num_threads`).
    #[inline(always)]
    pub fn size(&self) -> u32 {
        self.region.size.get()
    }

    /// Whether this is a team of a league: that of an initial task which a member of the league
    /// executes.
    #[inline(always)]
    pub(crate) fn is_of_league(&self) -> bool {
        self.is_of_league
    }

    /// Whether this is the team of an initial task that executes target regions.
    pub(crate) fn is_of_target_region(&self) -> bool {
        self.level == 0 && self.parent.is_some() && !self.is_of_league()
    }

    /// The innermost target region around the team's region, if there is one and a tool listens.
    /// Async-signal-safe.
    pub(crate) fn target(&self) -> Option<ToldTarget> {
        let encounter = &self.of_target_region()?.encounter;
        let (id, device_num) = (encounter.target_id.get(), encounter.target_device.get());
        (id != 0).then_some(ToldTarget { id, device_num })
    }

    /// *teams-thread-limit-var* in the innermost target region around the team's region; `None`
    /// outside of such regions, or if the host's value holds.
    pub(crate) fn teams_thread_limit_of_target(&self) -> Option<u32> {
        let limit = self.of_target_region()?.encounter.teams_thread_limit.get();
        (limit != 0).then_some(limit)
    }

    /// The team of the initial task of the innermost target region around the team's region.
    fn of_target_region(&self) -> Option<&Team> {
        let mut team = self;
        while !team.is_of_target_region() {
            team = team.parent()?.team();
        }
        Some(team)
    }

    /// Nesting level of the team's regions; 0 for the team of an initial task.
    #[inline(always)]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Nesting level that counts only regions of more than one thread.
    #[inline(always)]
    pub fn active_level(&self) -> u32 {
        self.region.active_level.get()
    }

    /// The number of threads that would run if every task of the enclosing teams formed a team of
    /// this size.
    fn concurrency(&self) -> u32 {
        self.region.concurrency.get()
    }

    /// The implicit task in which the region was encountered; for a team of a league, the member of
    /// the league that executes its initial task; `None` for the team of a root's initial task.
    #[inline(always)]
    pub fn parent(&self) -> Option<Shared<ImplicitTask>> {
        self.parent
    }

    /// The task that encountered the region, implicit or explicit; `None` for the team of a root's
    /// initial task.
    #[inline(always)]
    pub(crate) fn encountering(&self) -> Option<Shared<Task>> {
        self.encounter.task.get()
    }

    /// Whether the program ends the region by a call, `parallel::end`, on the thread that began it
    /// by `parallel::begin`: the primary thread.
    pub(crate) fn has_call_to_end(&self) -> bool {
        self.encounter.has_call_to_end.get()
    }

    /// The contention group that the threads belong to.
    #[inline(always)]
    pub(crate) fn group(&self) -> &'static ContentionGroup {
        self.group
    }

    /// The address of the variables with which the region's implicit tasks begin.
    #[inline(always)]
    pub(crate) fn icvs(&self) -> *const Icvs {
        self.region.icvs.as_ptr()
    }

    /// The taskgroup in which the region's implicit tasks begin, if it reduces for their tasks.
    pub(crate) fn taskgroup(&self) -> Option<&'static Taskgroup> {
        self.region.taskgroup.get()
    }

    /// Whether the region's threads display their affinity.
    pub(crate) fn displays_affinity(&self) -> bool {
        self.region.displays_affinity.get()
    }

    /// The record of the region for tools; for a team of a league, that of the league.
    pub fn record(&self) -> &ParallelRecord {
        match self.parent {
            Some(member) if self.is_of_league() => &member.team().record,
            _ => &self.record,
        }
    }

    /// How long the team's threads wait before they yield and sleep.
    #[inline(always)]
    pub(crate) fn patience(&self) -> Patience {
        self.region.patience()
    }

    /// The call of the region's construct, for events of threads that did not make it.
    #[inline(always)]
    pub(crate) fn borrowed_site(&self) -> BorrowedSite {
        BorrowedSite::new(self.encounter.return_address.get())
    }

    /// The barrier of the region.
    #[inline(always)]
    pub(crate) fn barrier(&self) -> &'static Barrier {
        match self.region.barrier.get() {
            Some(barrier) => barrier,
            None => unreachable!("a team is formed with a barrier"),
        }
    }

    /// The constructs of the present region that have been cancelled.
    #[inline(always)]
    pub(crate) fn cancelled(&self) -> &CancelledConstructs {
        &self.region.cancelled
    }

    /// Whether the present region is cancelled.
    #[inline(always)]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.region.cancelled.region().is_active()
    }

    /// Whether thread `thread_num` has left the present region, which is cancelled. False in a
    /// region that is not cancelled.
    pub(crate) fn has_left(&self, thread_num: u32) -> bool {
        self.is_cancelled() && self.member(thread_num).ended().has_ended(self.region_number())
    }

    /// The implicit task of thread `thread_num`, for `thread_num` below the size.
    #[inline(always)]
    pub(crate) fn member(&self, thread_num: u32) -> Shared<ImplicitTask> {
        debug_assert!(thread_num < self.size().max(1));
        self.member_so_far(thread_num)
    }

    /// The member with a number that the team has, or had in an earlier region.
    #[inline(always)]
    fn member_so_far(&self, thread_num: u32) -> Shared<ImplicitTask> {
        // SAFETY: the array has a member of this number, and is not freed (Invariant 3).
        let member = unsafe { &*self.members.get().add(thread_num as usize) };
        match member.get() {
            Some(member) => member,
            None => unreachable!("a team has no member {thread_num}"),
        }
    }

    /// Number of the team's present region, or of its last.
    #[inline(always)]
    pub(crate) fn region_number(&self) -> u32 {
        self.encounter.number.get()
    }

    /// Calls the threads that wait at the region's barrier, or at their docks after it, to execute
    /// tasks.
    pub(crate) fn call_waiting(&self) {
        self.barrier().call();
        for thread_num in 1..self.size() {
            if let Some(worker) = self.member(thread_num).thread().get() {
                worker.dock().call();
            }
        }
    }
}

/// Names every field of a team: a field that is added has to be added here, and to `Team::leak`.
fn of_every_field(
    Team {
        level: _,
        is_of_league: _,
        parent: _,
        group: _,
        region: _,
        record: _,
        members: _,
        encounter: _,
        membership: _,
        tasking: _,
        loops: _,
        single: _,
        published: _,
    }: &Team,
) {
}

impl ImplicitTask {
    /// The loop with which the task's region began, if the construct was combined with one.
    #[inline(always)]
    pub(crate) fn combined_loop(&self) -> Option<WorksharingLoop> {
        *self.team().region.combined_loop.read(self)
    }
}

impl Thread {
    /// The team of the implicit task under whose thread number the thread executes its task.
    #[inline(always)]
    pub fn team(&self) -> &'static Team {
        self.implicit_task().team()
    }
}
