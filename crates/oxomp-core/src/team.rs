//! A team of threads, kept from region to region (OpenMP 5.2 §1.2.3, team).

mod fork;

use core::cell::{Cell, UnsafeCell};
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use core::sync::atomic::{AtomicBool, AtomicU32};

use oxomp_ompd_layout::{Record, fields};

use crate::arch::BorrowedSite;
use crate::barrier::Barrier;
use crate::contention_group::ContentionGroup;
use crate::copyprivate::Published;
use crate::icv::{Icvs, ProcBind};
use crate::implicit_task::ImplicitTask;
use crate::ompt::event::{ParallelRecord, State};
use crate::os;
use crate::places::Arrangement;
use crate::pool::{self, Refusal, WorkerBody};
use crate::settings;
use crate::sync::{Patience, yield_now};
use crate::task::{Task, Taskgroup, Tasking};
use crate::thread::Thread;
use crate::worksharing::{LoopRing, WorksharingLoop};

/// The threads that execute a parallel region, and what they share.
///
/// Invariants:
/// 1. A team is never freed: it stays with the task that formed it and is used for its next region.
/// 2. The cells are written by the primary thread only, while no region of the team runs; the other
///    members read them in a region, ordered by their dock and by the barrier that ends it.
/// 3. `places` only grows. Places 1 to `hired` have a thread, idle or at work for this team.
/// 4. A barrier that the team has used is not freed in its process, but in a child only: a worker may
///    still report the end of a region in it after the primary thread has gone on.
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

/// What a team was refused.
#[derive(Clone, Copy, Debug)]
struct Shortage {
    /// The size that it should have had.
    wanted: u32,
    refusal: Refusal,
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
            loops: LoopRing::new(1),
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

    /// Calls the threads that wait at the region's barrier, or at their docks after it: there are tasks.
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

    /// Makes the team ready for a region of `size` threads with the variables `icvs`: the size that it
    /// got, which is smaller where threads cannot be had. New threads run `body`. Called by the
    /// primary thread.
    #[inline(always)]
    pub(crate) fn prepare(&'static self, size: u32, icvs: &Icvs, body: WorkerBody) -> u32 {
        // SAFETY: no region of the team runs (Invariant 2).
        unsafe {
            if *self.icvs.get() != *icvs {
                *self.icvs.get() = *icvs;
            }
        }
        if self.crowded_below.load(Relaxed) {
            self.crowded_below.store(false, Relaxed);
        }
        self.region_number.store(self.region_number().wrapping_add(1), Relaxed);
        if self.size.get() == size { size } else { self.resize(size, body) }
    }

    #[cold]
    fn resize(&'static self, wanted: u32, body: WorkerBody) -> u32 {
        // SAFETY: no region of the team runs (Invariant 2).
        let places = unsafe { &mut *self.places.get() };
        if let Some(shortage) = self.shortage.get()
            && shortage.wanted == wanted
            && self.size.get() != 0
            && !shortage.refusal.may_be_over()
        {
            return self.size.get();
        }
        self.shortage.set(None);
        while self.hired.get() < wanted {
            let index = self.hired.get();
            if places.len() as u32 == index {
                self.members.set(ptr::null());
                places.push(ImplicitTask::create(self, index));
                self.members.set(places.as_ptr());
            }
            let place = places[index as usize];
            match pool::hire(body, place) {
                Ok(worker) => place.thread.set(Some(worker)),
                Err(refusal) => {
                    self.shortage.set(Some(Shortage { wanted, refusal }));
                    break;
                }
            }
            self.hired.set(index + 1);
        }
        let size = wanted.min(self.hired.get());
        if size > 1 {
            for place in &places[..size as usize] {
                place.equip();
            }
        }
        // A place that sat out counts no construct: it goes on from where the primary thread is.
        let primary = places[0];
        for place in &places[1..size as usize] {
            place.singles.follow(&primary.singles);
            place.worksharing.count.set(primary.worksharing.count.get());
            place.reduction.follow(&primary.reduction);
        }
        for bench in places.iter().filter_map(|place| place.workbench_if_any()) {
            bench.balance();
        }
        self.loops.make_room(size as usize);
        self.use_barrier_for(size);
        let outer = self.parent.map(ImplicitTask::team);
        let outer_active = outer.map_or(0, Team::active_level);
        self.active_level.set(outer_active + u32::from(size > 1));
        let concurrency = outer.map_or(1, |team| team.concurrency.get()).saturating_mul(size);
        self.concurrency.set(concurrency);
        self.patience.set(settings::get().patience(concurrency));
        self.arrangement.set(Arrangement::NONE);
        self.size.set(size);
        for place in places {
            if let Some(child) = place.child_if_any() {
                child.outdate();
            }
        }
        size
    }

    /// Why the team is smaller than it should be, if threads were refused.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        self.shortage.get().map(|shortage| shortage.refusal)
    }

    /// The team is to be formed anew for its next region: the one above has another size, so that
    /// levels and concurrency change, or its workers have gone. No region of this team runs.
    fn outdate(&self) {
        self.size.set(0);
    }

    /// Chooses the places of the members for a region of this policy. Called by the primary thread
    /// when the team is prepared; threads bind themselves when they start their tasks.
    #[inline(always)]
    pub(crate) fn arrange(&self, policy: ProcBind) {
        let Some(outer) = self.parent else { return };
        let (place, partition) = (outer.place(), outer.partition());
        let wanted = Arrangement { policy, size: self.size(), place, partition };
        if self.arrangement.get() != wanted {
            self.rearrange(wanted);
        }
    }

    #[cold]
    fn rearrange(&self, wanted: Arrangement) {
        for thread_num in 0..wanted.size {
            let (place, partition) = wanted.assign(thread_num);
            self.place(thread_num).assign(place, partition);
        }
        // Members that share a processor must not spin for each other.
        let settings = settings::get();
        let processors = match wanted.policy {
            ProcBind::Primary => {
                settings.places.get(wanted.place.to_omp()).map_or(0, |place| place.len() as u32)
            }
            _ => settings.places.processors(wanted.partition),
        };
        let crowded = wanted.size > processors;
        let concurrency = if crowded { u32::MAX } else { self.concurrency.get() };
        self.patience.set(settings.patience(concurrency));
        self.arrangement.set(wanted);
    }

    /// Gives the idle workers of this team, and of the teams that its tasks formed, to `take`.
    /// Only while no region of any of them runs.
    pub(crate) fn disband(&self, take: &mut dyn FnMut(&'static Thread)) {
        // SAFETY: no region of the team runs (Invariant 2).
        let places = unsafe { &*self.places.get() };
        for place in places {
            if let Some(child) = place.child_if_any() {
                child.disband(take);
            }
            if place.thread_num() != 0
                && let Some(worker) = place.thread.take()
            {
                wait_for_report(worker);
                take(worker);
            }
        }
        self.hired.set(1);
        self.outdate();
    }

    /// The next region's threads meet in the barrier of their number.
    fn use_barrier_for(&self, size: u32) {
        // SAFETY: no region of the team runs, or the others have gone with the fork.
        let barriers = unsafe { &mut *self.barriers.get() };
        let known = barriers.iter().position(|barrier| barrier.size() == size as usize);
        let index = known.unwrap_or_else(|| {
            barriers.push(Box::new(Barrier::new(size as usize)));
            barriers.len() - 1
        });
        self.barrier.set(ptr::from_ref(&*barriers[index]));
    }
}

/// Waits until `worker` has reported the ends of the region that it was in: its task's record is about
/// to be another worker's. Not for ever, since a tool's callback may not return.
fn wait_for_report(worker: &Thread) {
    const LONGEST_NS: u64 = 500_000_000;
    let deadline = os::monotonic_ns() + LONGEST_NS;
    // Acquire: pairs with the Release at the end of the report.
    while worker.ompt.is_reporting.load(Acquire) && os::monotonic_ns() < deadline {
        yield_now();
    }
}
