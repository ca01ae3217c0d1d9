//! A native thread that the runtime knows: roots, which the program made, and
//! workers, which we made.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::barrier::{Dock, End};
use oxomp_protocol::lock::Guarded;

use super::announced::Announced;
use super::native_ids::NativeIds;
use super::shared::{Shared, shared_fields};
use super::{ImplicitTask, Team};
use crate::affinity_format::Displayed;
use crate::barrier::order::Order;
use crate::consistency::Regions;
use crate::diag;
use crate::icv::{Icvs, ProcBind};
use crate::ompt::event::{State, ThreadKind, ThreadRecord};
use crate::os;
use crate::places::{PlaceNum, ProcSet};
use crate::settings;
use crate::task::{Spares, Task};
use crate::word::Word;

/// What a worker is told at its dock.
pub(crate) type ToWorker = Order<Shared<ImplicitTask>>;

/// What the runtime keeps for a native thread.
///
/// A `&'static Thread` is the calling thread's own: it is not `Sync`, so the reference cannot reach
/// another thread. Others have a `Shared<Thread>`. README.md beside this file has the whole table.
///
/// Invariants:
/// 1. A block is never freed, only used again for another native thread when its own has gone.
/// 2. One native thread at a time has the block: it holds the block's `Native`, or, while there is
///    none, somebody holds its `Vacant`.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct Thread {
    // Of everybody.
    pub(crate) dock: Dock<ToWorker>,
    /// Number of the thread in the process, from 0 (`gtid` of the kmpc interface).
    number: u32,
    kind: ThreadKind,
    /// The next in the list of all threads, for a debugger.
    pub(super) next: Word<Option<Shared<Thread>>>,
    /// What the native thread has displayed of its affinity.
    displayed: Guarded<Option<Displayed>>,

    // What it executes.
    /// The task that the thread executes; while a worker is idle, its last implicit task.
    task: Cell<Option<&'static Task>>,
    /// The implicit (or initial) task on whose thread number it does: an explicit task's own
    /// implicit task may be another thread's.
    implicit_task: Cell<Option<&'static ImplicitTask>>,
    /// The initial task of a root, where its outermost parallel regions begin.
    pub(crate) initial: Cell<Option<&'static ImplicitTask>>,
    /// The current untied task is to go on later, when the part that runs is over.
    pub resubmitted: Cell<bool>,

    // For the next region.
    pub announced: Announced,
    /// The place that the native thread is bound to.
    place: Cell<PlaceNum>,
    /// The end of the region that a worker has left, if a tool is attached and did not want to hear
    /// of it: then the worker does not wait for it.
    left: Cell<Option<End>>,

    // For constructs.
    /// The regions that it is in, if their nesting is checked.
    pub(crate) regions: Regions,
    pub(crate) spares: Spares,

    // For tools and debuggers.
    pub ompt: ThreadRecord,
    pub(super) native: NativeIds,
    /// A region that a debugger is stopped for, at its begin or end.
    pub(crate) region: Cell<Option<&'static Team>>,
}

shared_fields! {
    Thread {
        /// Where the thread waits for its next region.
        pub(crate) dock: dock: Dock<ToWorker>,
        /// Whether a worker that has left a region has still to report its end.
        pub(crate) is_reporting: ompt.is_reporting: AtomicBool,
        /// Callbacks of the tool that run on the thread.
        pub(crate) callbacks_running: ompt.callbacks_running: AtomicU32,
        /// What the native thread has displayed of its affinity.
        pub(crate) displayed: displayed: Guarded<Option<Displayed>>,
        /// The next in the list of all threads.
        pub(super) next: next: Word<Option<Shared<Thread>>>,
    }
}

/// What a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Thread {
    next => ThreadNext,
    number => ThreadNumber,
    kind => ThreadKind,
    native.pthread => ThreadPthread,
    native.lwp => ThreadLwp,
    native.generation => ThreadGeneration,
    ompt.state => ThreadState,
    ompt.wait_id => ThreadWaitId,
    ompt.data => ThreadData,
    implicit_task => ThreadImplicitTask,
    initial => ThreadInitialTask,
    region => ThreadRegion,
    place => ThreadPlace,
    task => ThreadTask,
});

impl Thread {
    /// A block for a thread that does not run yet.
    pub(super) fn create(number: u32, kind: ThreadKind) -> Shared<Thread> {
        Shared::of(Box::leak(Box::new(Thread {
            dock: Dock::new(Order::command(0)),
            number,
            kind,
            next: Word::of(None),
            displayed: Guarded::new(None),
            task: Cell::new(None),
            implicit_task: Cell::new(None),
            initial: Cell::new(None),
            resubmitted: Cell::new(false),
            announced: Announced::nothing(),
            place: Cell::new(PlaceNum::NONE),
            left: Cell::new(None),
            regions: Regions::new(),
            spares: Spares::new(),
            ompt: ThreadRecord::new(),
            native: NativeIds::default(),
            region: Cell::new(None),
        })))
    }

    /// The thread, for others.
    #[inline(always)]
    pub(crate) fn shared(&'static self) -> Shared<Thread> {
        Shared::of(self)
    }

    /// The kernel's id of the calling thread.
    #[inline(always)]
    pub(crate) fn lwp(&self) -> i32 {
        self.native.lwp.get()
    }

    /// Number of the thread in the process, from 0.
    #[inline(always)]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether the program made the thread or we did.
    pub fn kind(&self) -> ThreadKind {
        self.kind
    }

    /// The task that the calling thread executes, implicit or explicit.
    #[inline(always)]
    pub fn task(&self) -> &'static Task {
        match self.task.get() {
            Some(task) => task,
            None => unreachable!("thread {} has no task", self.number),
        }
    }

    /// The thread goes on with another task of the same team.
    #[inline(always)]
    pub(crate) fn set_task(&self, task: &'static Task) {
        self.task.set(Some(task));
    }

    /// The implicit task under whose thread number the calling thread executes its task.
    #[inline(always)]
    pub fn implicit_task(&self) -> &'static ImplicitTask {
        match self.implicit_task.get() {
            Some(task) => task,
            // Roots get theirs when they are registered, workers before they start.
            None => unreachable!("thread {} has no task", self.number),
        }
    }

    /// As `task`, for a signal handler that may come before the first.
    pub fn task_if_any(&self) -> Option<&'static Task> {
        self.task.get()
    }

    /// As `implicit_task`, likewise.
    pub fn implicit_task_if_any(&self) -> Option<&'static ImplicitTask> {
        self.implicit_task.get()
    }

    /// The thread goes on with another implicit task.
    #[inline(always)]
    pub(crate) fn set_implicit_task(&self, task: &'static ImplicitTask) {
        self.implicit_task.set(Some(task));
        self.task.set(Some(task));
    }

    /// The internal control variables of the current task.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        self.task().icvs()
    }

    /// The block of a root is for the calling native thread: nothing is left of the one before.
    pub(crate) fn begin_root(&self, initial: &'static ImplicitTask) {
        initial.inherit_icvs();
        self.set_implicit_task(initial);
        self.announced.clear();
        self.set_displayed(None);
        self.place.set(PlaceNum::NONE);
        self.settle(initial);
    }

    /// Nothing is left of the native thread before. Only while the block has none.
    pub(crate) fn begin_anew(&self) {
        self.dock.reset();
        self.left.set(None);
        self.announced.clear();
        self.set_displayed(None);
        self.place.set(PlaceNum::NONE);
        self.regions.forget();
        self.resubmitted.set(false);
        self.region.set(None);
        self.ompt.begin_anew();
    }

    /// Gives a root of a program whose threads are bound its place. Roots get the places in turn,
    /// by their numbers, as in libomp; their partition is the whole list. A root binds itself when
    /// it encounters its first region or asks for places: who only calls a routine stays free.
    fn settle(&self, initial: &ImplicitTask) {
        let settings = settings::get();
        if settings.is_confined {
            // Threads that it makes get this from it. A system that refuses has said so to who
            // started the program.
            let _ = os::set_affinity(settings.available.words());
        }
        if settings.icvs.bind_var == ProcBind::False {
            self.report_binding(&settings.available);
            return;
        }
        let place = PlaceNum::new(self.number % settings.places.len().max(1));
        initial.assign(place, settings.places.partition());
    }

    /// The place that the native thread is bound to.
    pub fn place(&self) -> PlaceNum {
        self.place.get()
    }

    /// The calling thread binds itself to its task's place, which a root may not have done yet.
    pub fn take_place(&self) {
        self.go_to(self.implicit_task().place());
    }

    /// The calling thread is bound to the place of the task that it starts.
    #[inline(always)]
    pub(crate) fn go_to(&self, place: PlaceNum) {
        if self.place.get() != place {
            self.bind(place);
        }
    }

    #[cold]
    fn bind(&self, place: PlaceNum) {
        static WARNED: AtomicBool = AtomicBool::new(false);
        self.place.set(place);
        let settings = settings::get();
        let Some(processors) = settings.places.get(place.to_omp()) else { return };
        self.report_binding(processors);
        if let Err(error) = os::set_affinity(processors.words())
            && !WARNED.swap(true, Relaxed)
        {
            let reason = std::io::Error::from_raw_os_error(error);
            diag::warning(&format!(
                "cannot bind thread {} to processors {processors}: {reason}; it runs anywhere",
                self.number,
            ));
        }
    }

    /// What KMP_AFFINITY=verbose wants to know of the calling thread.
    pub(crate) fn report_binding(&self, processors: &ProcSet) {
        if settings::get().globals.affinity.verbose {
            diag::info(&format!(
                "KMP_AFFINITY: pid {} tid {} thread {} bound to OS proc set {processors}",
                os::process_id(),
                os::thread_id(),
                self.number,
            ));
        }
    }

    /// An outermost region is over whose primary thread was bound for its time only: the calling
    /// thread may run where the process may (KMP_AFFINITY=reset).
    #[cold]
    pub(crate) fn reset_affinity(&self) {
        if self.place.get() != PlaceNum::NONE {
            self.place.set(PlaceNum::NONE);
            // The processors that it had before: nobody takes them away meanwhile.
            let _ = os::set_affinity(settings::get().available.words());
        }
    }

    /// The worker goes to its dock while the region that ends at `end` may not be over.
    pub(crate) fn leave_before(&self, end: End) {
        self.left.set(Some(end));
    }

    /// The worker is in its next region: the one that it left is over.
    pub(crate) fn come_back(&self) {
        self.left.set(None);
    }

    /// The state that a tool sees. A worker at its dock waits in the barrier of the region that it
    /// has left until that is over, and is idle from then on.
    pub fn state(&self) -> State {
        let state = self.ompt.state.get();
        match self.left.get() {
            Some(end) if state == State::WaitBarrierImplicitParallel && end.is_past() => {
                State::Idle
            }
            _ => state,
        }
    }

    /// Notes what the native thread has displayed of its affinity.
    pub(crate) fn set_displayed(&self, now: Option<Displayed>) {
        self.displayed.with(|displayed| *displayed = now);
    }

    /// Sets the state that a tool sees; the state before.
    #[inline(always)]
    pub(crate) fn set_state(&self, state: State) -> State {
        self.ompt.state.replace(state)
    }
}
