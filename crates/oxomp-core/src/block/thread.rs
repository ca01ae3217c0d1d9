//! A native thread that the runtime knows: a root, which the program created, or a worker, which
//! the runtime created.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use oxomp_base::icv::{Icvs, ProcBind};
use oxomp_base::places::{PlaceNum, ProcSet};
use oxomp_base::word::Word;
use oxomp_base::{diag, os, settings};
use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::ThisThread;
use oxomp_protocol::barrier::Dock;

use super::announced::Announced;
use super::left_region::LeftRegion;
use super::native_ids::NativeIds;
use super::shared::{Shared, shared_fields};
use super::{ImplicitTask, Team};
use crate::affinity_format::LastDisplayed;
use crate::barrier::order::Order;
use crate::consistency::Regions;
use crate::ompt::event::{State, ThreadKind, ThreadRecord};
use crate::task::{Spares, Task};

/// The order that a worker gets at its dock.
pub(crate) type ToWorker = Order<Shared<ImplicitTask>>;

/// The state of a native thread.
///
/// A `&'static Thread` is the calling thread: the type is not `Sync`, so the reference cannot reach
/// another thread. Other threads have a `Shared<Thread>`. README.md in this folder has the table of
/// all such types.
///
/// Invariants:
/// 1. A block is never freed. It is used for another native thread when its own has ended.
/// 2. At most one native thread has the block: it holds the block's only `Native`. While no native
///    thread has it, there is exactly one `Vacant` of the block, or one argument for a new native
///    thread (`Vacant::into_argument`).
#[repr(C, align(128))]
#[derive(Debug)]
pub struct Thread {
    // Shared with other threads.
    pub(crate) dock: Dock<ToWorker>,
    /// Number of the thread in the process, from 0 (`gtid` of the kmpc interface).
    number: u32,
    kind: ThreadKind,
    /// The next in the list of all threads, for a debugger.
    pub(super) next: Word<Option<Shared<Thread>>>,
    /// The affinity that the native thread has displayed last.
    pub(crate) displayed: LastDisplayed,

    // Execution.
    /// The task that the thread executes; while a worker is idle, its last implicit task.
    task: Cell<Option<&'static Task>>,
    /// The implicit (or initial) task under whose thread number the thread executes `task`. The
    /// implicit task in which an explicit task was generated may be another thread's.
    implicit_task: Cell<Option<&'static ImplicitTask>>,
    /// The initial task of a root, which encounters its outermost parallel regions; `None` for a
    /// worker.
    pub(crate) initial: Cell<Option<&'static ImplicitTask>>,
    /// The current untied task goes on later, as a new part, when the part that runs now is over.
    pub resubmitted: Cell<bool>,
    /// The untied task that the thread executes has passed a taskyield in its present part: another
    /// thread may execute the next one.
    pub(crate) yielded: Cell<bool>,

    // For the next region.
    /// The implicit task that the block's next native thread executes first, until it begins.
    pub(super) first: Cell<Option<Shared<ImplicitTask>>>,
    /// The clauses of the next parallel construct, which the compiler passes by calls of their own
    /// before the construct (kmpc interface).
    pub announced: Announced,
    /// The OpenMP place that the native thread is bound to.
    place: Cell<PlaceNum>,
    /// The region that a worker has left, until its next one.
    pub(crate) left: LeftRegion<ImplicitTask>,

    // For constructs.
    /// The regions that the thread is in, if the runtime checks their nesting.
    pub(crate) regions: Regions,
    pub(crate) spares: Spares,

    // For tools and debuggers.
    /// The thread's record for tools.
    pub ompt: ThreadRecord,
    pub(super) native: NativeIds,
    /// The region at whose begin or end the thread stops for a debugger.
    pub(crate) region: Cell<Option<&'static Team>>,
    /// The task that the thread has taken and is about to execute, while a listener hears that it
    /// leaves its current task.
    pub(crate) taken: Cell<Option<&'static Task>>,
}

shared_fields! {
    Thread {
        /// The dock at which the thread waits for its next region.
        pub(crate) dock: dock: Dock<ToWorker>,
        /// Whether a worker that has left a region still reports its end.
        pub(crate) is_reporting: ompt.is_reporting: AtomicBool,
        /// The number of the tool's callbacks that run on the thread.
        pub(crate) callbacks_running: ompt.callbacks_running: AtomicU32,
        /// Whether the thread calls `ompt_finalize_tool`.
        pub(crate) ends_tool: ompt.ends_tool: AtomicBool,
        /// The affinity that the native thread has displayed last.
        pub(crate) displayed: displayed: LastDisplayed,
        /// Number of the thread in the process, from 0.
        pub(super) number: number: u32,
        /// The next in the list of all threads.
        pub(super) next: next: Word<Option<Shared<Thread>>>,
    }
}

/// The fields that a debugger reads.
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
    ompt.waits_for_nest_lock => ThreadWaitsForNestLock,
    ompt.nest_lock_owner => ThreadNestLockOwner,
    spares.blocks => ThreadTaskBlocks,
});

// SAFETY: a `&Thread` is the calling thread, or the block of a thread that does not run: the holder
// of a `Vacant` or an `Alone` has that one. Blocks are never freed, so their addresses differ.
unsafe impl ThisThread for Thread {}

impl Thread {
    /// Creates the block of a thread that does not run yet.
    pub(super) fn create(number: u32, kind: ThreadKind) -> Shared<Thread> {
        Shared::of(Box::leak(Box::new(Thread {
            dock: Dock::new(Order::command(0)),
            number,
            kind,
            next: Word::of(None),
            displayed: LastDisplayed::default(),
            task: Cell::new(None),
            implicit_task: Cell::new(None),
            initial: Cell::new(None),
            resubmitted: Cell::new(false),
            yielded: Cell::new(false),
            first: Cell::new(None),
            announced: Announced::nothing(),
            place: Cell::new(PlaceNum::NONE),
            left: LeftRegion::default(),
            regions: Regions::new(),
            spares: Spares::new(),
            ompt: ThreadRecord::new(),
            native: NativeIds::default(),
            region: Cell::new(None),
            taken: Cell::new(None),
        })))
    }

    /// The block in the form that other threads may have.
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

    /// Whether the program created the thread or the runtime did.
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

    /// Makes `task`, of the same team, the task that the thread executes.
    #[inline(always)]
    pub(crate) fn set_task(&self, task: &'static Task) {
        self.task.set(Some(task));
    }

    /// The implicit task under whose thread number the calling thread executes its task.
    #[inline(always)]
    pub fn implicit_task(&self) -> &'static ImplicitTask {
        match self.implicit_task.get() {
            Some(task) => task,
            // Roots get their initial task when they are registered, workers a task before they
            // start.
            None => unreachable!("thread {} has no task", self.number),
        }
    }

    /// The task that the calling thread executes; `None` in a signal handler that runs before the
    /// thread has its first task.
    pub fn task_if_any(&self) -> Option<&'static Task> {
        self.task.get()
    }

    /// The implicit task under whose thread number the calling thread executes its task; `None` in
    /// a signal handler that runs before the thread has its first task.
    #[inline(always)]
    pub fn implicit_task_if_any(&self) -> Option<&'static ImplicitTask> {
        self.implicit_task.get()
    }

    /// Makes `task` the implicit task that the thread executes.
    #[inline(always)]
    pub(crate) fn set_implicit_task(&self, task: &'static ImplicitTask) {
        self.go_on_with(task, task);
    }

    /// The thread goes on with `task`, which it executes under the thread number of `implicit`.
    #[inline(always)]
    pub(crate) fn go_on_with(&self, implicit: &'static ImplicitTask, task: &'static Task) {
        self.implicit_task.set(Some(implicit));
        self.task.set(Some(task));
    }

    /// The internal control variables of the current task.
    #[inline(always)]
    pub fn icvs(&self) -> Icvs {
        self.task().icvs()
    }

    /// Begins the life of the calling native thread as a root, in a block that is new or was reset.
    pub(crate) fn begin_root(&self, initial: &'static ImplicitTask) {
        initial.inherit_icvs();
        self.set_implicit_task(initial);
        self.settle(initial);
    }

    /// Resets the block: no state of the previous native thread remains. Only for the holder of its
    /// `Vacant`.
    pub(super) fn begin_anew(&self) {
        // SAFETY: no native thread has the block: the last one has left its dock, and no thread
        // releases the next one before it is hired.
        unsafe { self.dock.reset() };
        self.left.forget();
        self.first.set(None);
        self.announced.clear();
        self.displayed.forget();
        self.place.set(PlaceNum::NONE);
        self.regions.forget();
        self.resubmitted.set(false);
        self.yielded.set(false);
        self.region.set(None);
        self.ompt.begin_anew();
    }

    /// Assigns a root its OpenMP place, in a program whose threads are bound. Roots get the places
    /// round-robin by their numbers, as in libomp; their partition is the whole list. A root binds
    /// itself when it encounters its first region or asks for places: a root that only calls other
    /// routines stays unbound.
    fn settle(&self, initial: &ImplicitTask) {
        let settings = settings::get();
        if settings.is_confined {
            // Native threads that the root creates inherit this mask. An error is ignored: the mask
            // is a subset of the root's.
            let _ = os::set_affinity(settings.available.words());
        }
        if settings.icvs.bind_var == ProcBind::False {
            self.report_binding(&settings.available);
            return;
        }
        let place = PlaceNum::new(self.number % settings.places.len().max(1));
        initial.assign(place, settings.places.partition());
    }

    /// The OpenMP place that the native thread is bound to.
    pub fn place(&self) -> PlaceNum {
        self.place.get()
    }

    /// Binds the calling thread to its task's OpenMP place, which a root may not have done yet.
    pub fn take_place(&self) {
        self.go_to(self.implicit_task().place());
    }

    /// Binds the calling thread to `place`, that of the implicit task which it starts.
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

    /// Prints the binding of the calling thread, if KMP_AFFINITY=verbose asks for it.
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

    /// Unbinds the calling thread, which was bound as the primary thread of an outermost region
    /// that is over: it may run on all processors of the process (KMP_AFFINITY=reset).
    #[cold]
    pub(crate) fn reset_affinity(&self) {
        if self.place.get() != PlaceNum::NONE {
            self.place.set(PlaceNum::NONE);
            // The thread had these processors before, so the call is not expected to fail.
            let _ = os::set_affinity(settings::get().available.words());
        }
    }

    /// Notes for a tool that the worker begins its next region: it is idle until it executes a task
    /// of that region.
    pub(crate) fn come_back(&self) {
        self.set_state(State::Idle);
        self.left.come_back();
    }

    /// The state that a tool sees. A worker at its dock is in the state of waiting at the barrier
    /// of the region that it has left until this region is over, and is idle from then on.
    pub fn state(&self) -> State {
        let state = self.ompt.state.get();
        if state.ends_a_region() && self.left.is_over_unreported() { State::Idle } else { state }
    }

    /// Sets the state that a tool sees, and returns the previous one.
    #[inline(always)]
    pub(crate) fn set_state(&self, state: State) -> State {
        self.ompt.state.replace(state)
    }
}
