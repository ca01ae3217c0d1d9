//! A team of threads, kept from region to region (OpenMP 5.2 §1.2.3, team).

mod arrange;
mod fork;
mod form;

use core::cell::{Cell, UnsafeCell};
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32};

use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::barrier::Barrier;
use oxomp_protocol::patience::Patience;

use self::form::Shortage;
use crate::arch::BorrowedSite;
use crate::contention_group::ContentionGroup;
use crate::copyprivate::Published;
use crate::icv::Icvs;
use crate::implicit_task::ImplicitTask;
use crate::ompt::event::{ParallelRecord, State};
use crate::places::Arrangement;
use crate::settings;
use crate::task::{Task, Taskgroup, Tasking};
use crate::worksharing::{LoopRing, Scratch, WorksharingLoop};

/// The threads that execute a parallel region, and what they share.
///
/// Invariants:
/// 1. A team is never freed: it stays with the task that formed it and is used for its next region.
/// 2. The cells are written by the primary thread only, while no region of the team runs; the other
///    members read them in a region, ordered by their dock and by the barrier that ends it.
/// 3. `places` only grows. Places 1 to `hired` have a thread, idle or at work for this team.
/// 4. A barrier that the team has used is not freed in its process, but in a child only: a worker
///    may still report the end of a region in it after the primary thread has gone on.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct Team {
    size: Cell<u32>,
    level: u32,
    active_level: Cell<u32>,
    /// How many threads would run if every task of the enclosing teams formed such a team.
    concurrency: Cell<u32>,
    patience: Cell<Patience>,
    /// Regions within the current one have more threads than there are processors: its threads must
    /// not spin for each other either. Set by the primary threads of those.
    crowded_below: AtomicBool,
    barrier: Cell<*const Barrier>,
    places: UnsafeCell<Vec<&'static ImplicitTask>>,
    /// The array of `places` for a debugger; null while it may move.
    members: Cell<*const &'static ImplicitTask>,
    icvs: UnsafeCell<Icvs>,
    parent: Option<&'static ImplicitTask>,
    group: &'static ContentionGroup,
    hired: Cell<u32>,
    /// Threads were refused when the team got its size.
    shortage: Cell<Option<Shortage>>,
    /// What the places of the members were chosen for.
    arrangement: Cell<Arrangement>,
    /// One barrier for each size that the team has had.
    #[allow(clippy::vec_box, reason = "threads hold on to a barrier while the vector grows")]
    barriers: UnsafeCell<Vec<Box<Barrier>>>,
    region: ParallelRecord,
    /// The region's outlined function, if a debugger is expected.
    pub(crate) outlined: Cell<*const c_void>,
    /// Explicit tasks of the team.
    pub(crate) tasking: Tasking,
    /// The taskgroup in which the region's implicit tasks begin, if it reduces for their tasks.
    pub(crate) taskgroup: Cell<Option<&'static Taskgroup>>,
    /// The task that encountered the region.
    pub(crate) encountering: Cell<Option<&'static Task>>,
    /// Counts the regions of the team.
    region_number: AtomicU32,
    /// State of the primary thread before the region.
    pub(crate) outer_state: Cell<State>,
    /// Where the construct's call returns to, if a tool is attached.
    pub(crate) return_address: Cell<*const c_void>,
    /// The loop that each thread of the region begins with, if it was combined with one.
    pub(crate) combined_loop: Cell<Option<WorksharingLoop>>,
    /// Whether the region's threads display their affinity.
    pub(crate) displays_affinity: Cell<bool>,
    /// Loops in flight.
    pub(crate) loops: LoopRing,
    pub(crate) single: SingleCount,
    pub(crate) published: Published,
}

/// What a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Team as Parallel {
    region.generation => ParallelGeneration,
    size => ParallelSize,
    level => ParallelLevel,
    active_level => ParallelActiveLevel,
    parent => ParallelEncountering,
    members => ParallelTasks,
    barrier => ParallelBarrier,
    region.data => ParallelData,
    outlined => ParallelFunction,
    return_address => ParallelReturnAddress,
    encountering => ParallelEncounteringTask,
});

/// How many `single` constructs have found their thread; on a line of its own.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct SingleCount(pub(crate) AtomicU32);

// SAFETY: the cells change only while no other thread looks (Invariant 2).
unsafe impl Sync for Team {}

impl Team {
    /// The team of the regions that `parent` will encounter, one place large.
    pub(crate) fn create(parent: &'static ImplicitTask) -> &'static Team {
        let outer = parent.team();
        Self::leak(outer.level + 1, outer.active_level(), Some(parent), *parent.icvs(), outer.group)
    }

    /// The team of an initial task: one thread, level 0.
    pub(crate) fn create_initial(icvs: Icvs, group: &'static ContentionGroup) -> &'static Team {
        Self::leak(0, 0, None, icvs, group)
    }

    fn leak(
        level: u32,
        active_level: u32,
        parent: Option<&'static ImplicitTask>,
        icvs: Icvs,
        group: &'static ContentionGroup,
    ) -> &'static Team {
        let barrier = Box::new(Barrier::new(1));
        let team: &'static Team = Box::leak(Box::new(Team {
            size: Cell::new(1),
            level,
            active_level: Cell::new(active_level),
            concurrency: Cell::new(parent.map_or(1, |task| task.team().concurrency.get())),
            patience: Cell::new(settings::get().patience(1)),
            crowded_below: AtomicBool::new(false),
            barrier: Cell::new(ptr::from_ref(&*barrier)),
            places: UnsafeCell::new(Vec::new()),
            members: Cell::new(ptr::null()),
            icvs: UnsafeCell::new(icvs),
            parent,
            group,
            hired: Cell::new(1),
            shortage: Cell::new(None),
            arrangement: Cell::new(Arrangement::NONE),
            barriers: UnsafeCell::new(vec![barrier]),
            region: ParallelRecord::default(),
            outlined: Cell::new(ptr::null()),
            tasking: Tasking::new(),
            taskgroup: Cell::new(None),
            encountering: Cell::new(None),
            region_number: AtomicU32::new(0),
            outer_state: Cell::new(State::WorkSerial),
            return_address: Cell::new(ptr::null()),
            combined_loop: Cell::new(None),
            displays_affinity: Cell::new(false),
            loops: LoopRing::new(1, Scratch::none),
            single: SingleCount(AtomicU32::new(0)),
            published: Published::new(),
        }));
        let primary = ImplicitTask::create(team, 0);
        // SAFETY: nobody else knows the team yet.
        let places = unsafe { &mut *team.places.get() };
        places.push(primary);
        team.members.set(places.as_ptr());
        team
    }

    /// Number of threads (`omp_get_num_threads`).
    #[inline(always)]
    pub fn size(&self) -> u32 {
        self.size.get()
    }

    /// Nesting level of its regions; 0 is the initial task's.
    #[inline(always)]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Nesting level that counts only regions of more than one thread.
    #[inline(always)]
    pub fn active_level(&self) -> u32 {
        self.active_level.get()
    }

    /// The task that encountered the region; none for the initial task's team.
    #[inline(always)]
    pub fn parent(&self) -> Option<&'static ImplicitTask> {
        self.parent
    }

    /// The contention group that the threads belong to.
    pub(crate) fn group(&self) -> &'static ContentionGroup {
        self.group
    }

    /// The variables that the region's implicit tasks start with.
    #[inline(always)]
    pub(crate) fn icvs(&self) -> &Icvs {
        // SAFETY: written between regions only (Invariant 2).
        unsafe { &*self.icvs.get() }
    }

    /// What OMPT keeps for the region.
    pub fn record(&self) -> &ParallelRecord {
        &self.region
    }

    /// How long its threads wait before they yield and sleep.
    #[inline(always)]
    pub(crate) fn patience(&self) -> Patience {
        // Relaxed: a hint.
        if self.crowded_below.load(Relaxed) {
            return Patience { spins: Patience::CROWDED_SPINS, ..self.patience.get() };
        }
        self.patience.get()
    }

    /// Tells the enclosing teams that their threads wait for a crowd.
    #[inline(always)]
    pub(crate) fn tell_if_crowded(&self) {
        if self.patience.get().spins == Patience::CROWDED_SPINS {
            let mut outer = self.parent;
            while let Some(task) = outer
                && !task.team().crowded_below.load(Relaxed)
            {
                task.team().crowded_below.store(true, Relaxed);
                outer = task.team().parent;
            }
        }
    }

    /// The call of the region's construct, for events of threads that did not make it.
    #[inline(always)]
    pub(crate) fn borrowed_site(&self) -> BorrowedSite {
        BorrowedSite::new(self.return_address.get())
    }

    /// The barrier of the region.
    #[inline(always)]
    pub(crate) fn barrier(&self) -> &'static Barrier {
        // SAFETY: one of `barriers`, never freed (Invariant 4).
        unsafe { &*self.barrier.get() }
    }

    /// The implicit task of thread `thread_num`, for `thread_num` below the size.
    #[inline(always)]
    pub(crate) fn place(&self, thread_num: u32) -> &'static ImplicitTask {
        // SAFETY: the vector changes between regions only (Invariants 2 and 3).
        unsafe { (&(*self.places.get()))[thread_num as usize] }
    }

    /// Number of the team's present region, or of its last.
    #[inline(always)]
    pub(crate) fn region_number(&self) -> u32 {
        // Relaxed: who asks whether it is in the present region has passed the team's gate.
        self.region_number.load(Relaxed)
    }

    /// Calls the threads that wait at the region's barrier, or at their docks after
    /// it: there are tasks.
    pub(crate) fn call_waiting(&self) {
        self.barrier().call();
        for thread_num in 1..self.size() {
            if let Some(worker) = self.place(thread_num).thread.get() {
                worker.dock.call();
            }
        }
    }

    /// The implicit task of the primary thread.
    #[inline(always)]
    pub(crate) fn primary(&self) -> &'static ImplicitTask {
        self.place(0)
    }
}
