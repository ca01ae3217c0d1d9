//! The trait that a tool of the report implements, with a method per event.

use core::ffi::CStr;

use super::trace::Records;
use super::{
    Atomic, Construct, Control, Dependences, EntryPoints, EventSet, Flush, Idle, Lock, Mutex,
    ParallelBegin, ParallelEnd, Region, Registration, TargetDataBegin, TargetDataMapBegin,
    TargetDataMapEnd, TargetTaskBegin, Task, TaskBegin, TaskDependencePair, TaskSwitch, Thread,
};

/// The facts that a tool is started with.
#[derive(Clone, Copy, Debug)]
pub struct Initialization {
    /// Name and version of the runtime, in its own words.
    pub runtime_version: &'static CStr,
    /// The runtime's entry points.
    pub entry_points: EntryPoints,
}

macro_rules! events {
    ($($(#[$meta:meta])* $name:ident: $event:ty;)*) => {
        $(
            $(#[$meta])*
            #[inline]
            fn $name(&self, event: &$event) {
                let _ = event;
            }
        )*
    };
}

/// A tool of the 2015 report. Methods are called on the thread where the event happens, on many
/// threads at once.
///
/// `#[ompt::report_2015::tool]` stands before the implementation: it makes [`Tool::METHODS`] of the
/// methods that are written, and the runtime is asked for those events.
/// [`ompt_tool!`](super::ompt_tool) makes a type the tool of its library.
pub trait Tool: Send + Sync + Sized + 'static {
    /// The events that the tool has methods for. `#[ompt::report_2015::tool]` writes this; a list
    /// written by hand may forget a method, which the runtime would then never call.
    const METHODS: EventSet;

    /// Whether the tool wants to run at all; called before the runtime is ready, so keep it small.
    fn wanted() -> bool {
        true
    }

    /// Makes the tool; called when the runtime is ready and before any event. `None`: the tool gets
    /// no events.
    fn initialize(initialization: &Initialization) -> Option<Self>;

    /// The events to register, of those that the tool has methods for; others cost nothing. Called
    /// once, after [`Tool::initialize`]. By default all of them; a tool may choose while it starts,
    /// since the interface does not let a tool register anything later.
    ///
    /// An event without a method is not registered, and the SDK says so on stderr.
    fn events(&self) -> EventSet {
        Self::METHODS
    }

    /// Called with the runtime's answers to the registration of [`Tool::events`], still before any
    /// event.
    fn registered(&self, registration: &Registration) {
        let _ = registration;
    }

    /// The run is over: the last event. It is registered and called whether [`Tool::events`] names
    /// it or not. Other threads may still be in methods.
    fn runtime_shutdown(&self) {}

    /// A device hands over records of its trace, which
    /// [`Device::start_trace`](super::Device::start_trace) has started.
    ///
    /// Called on a thread of the runtime, perhaps for several devices at once. The module
    /// [`trace`](super::trace) says what may be called there.
    fn trace_records(&self, records: Records<'_>) {
        let _ = records;
    }

    events! {
        /// A parallel region begins: in the context of the task that met the construct, before any
        /// of its implicit tasks begins.
        parallel_begin: ParallelBegin<'_>;
        /// A parallel region has ended, and the encountering task is about to continue.
        parallel_end: ParallelEnd;
        /// An explicit task is created.
        task_begin: TaskBegin<'_>;
        /// An explicit task has completed.
        task_end: Task;
        /// A thread begins: its first event.
        thread_begin: Thread;
        /// A thread ends: a worker's last event.
        thread_end: Thread;
        /// The program called `ompt_control`.
        control: Control;
        /// A thread waits for work outside a parallel region from now on. Nothing else happens on
        /// that thread before [`Tool::idle_end`].
        idle_begin: Idle;
        /// A thread has got work, or must end.
        idle_end: Idle;
        /// A task begins to wait in a barrier; several waits per barrier are possible.
        wait_barrier_begin: Region;
        /// A task stops waiting in a barrier.
        wait_barrier_end: Region;
        /// A task begins to wait in a taskwait; several waits are possible.
        wait_taskwait_begin: Region;
        /// A task stops waiting in a taskwait.
        wait_taskwait_end: Region;
        /// A task begins to wait at the end of a taskgroup; several waits are possible.
        wait_taskgroup_begin: Region;
        /// A task stops waiting at the end of a taskgroup.
        wait_taskgroup_end: Region;
        /// A lock was released.
        release_lock: Mutex;
        /// A nestable lock was released by its owner for good.
        release_nest_lock_last: Mutex;
        /// A `critical` region was left.
        release_critical: Mutex;
        /// An `atomic` region was left; the runtime took a lock for it.
        release_atomic: Mutex;
        /// An `ordered` region was left.
        release_ordered: Mutex;
        /// An implicit task begins.
        implicit_task_begin: Region;
        /// An implicit task has passed the region's closing barrier.
        implicit_task_end: Region;
        /// An initial task begins.
        initial_task_begin: Task;
        /// An initial task ends.
        initial_task_end: Task;
        /// The thread goes from one task to another.
        task_switch: TaskSwitch;
        /// A worksharing loop begins.
        loop_begin: Construct;
        /// A worksharing loop has ended, and its barrier is to come.
        loop_end: Region;
        /// A `sections` region begins.
        sections_begin: Construct;
        /// A `sections` region has ended, and its barrier is to come.
        sections_end: Region;
        /// The thread that executes a `single` region begins it.
        single_in_block_begin: Construct;
        /// The thread that executes a `single` region has ended it.
        single_in_block_end: Region;
        /// A thread that does not execute a `single` region meets it.
        single_others_begin: Region;
        /// A thread that does not execute a `single` region leaves it.
        single_others_end: Region;
        /// A `workshare` region begins.
        workshare_begin: Construct;
        /// A `workshare` region has ended.
        workshare_end: Region;
        /// The primary thread begins a `master` region.
        master_begin: Construct;
        /// The primary thread has ended a `master` region.
        master_end: Region;
        /// A task meets a barrier, explicit or implicit.
        barrier_begin: Construct;
        /// A task leaves a barrier.
        barrier_end: Region;
        /// A task meets a `taskwait`.
        taskwait_begin: Construct;
        /// A task leaves a `taskwait`.
        taskwait_end: Region;
        /// A `taskgroup` region begins.
        taskgroup_begin: Construct;
        /// A `taskgroup` region has ended.
        taskgroup_end: Region;
        /// A nestable lock was released, and its owner still has it.
        release_nest_lock_prev: Mutex;
        /// A thread begins to wait for a lock.
        wait_lock: Mutex;
        /// A thread begins to wait for a nestable lock.
        wait_nest_lock: Mutex;
        /// A thread begins to wait for a `critical` region.
        wait_critical: Lock;
        /// A thread begins to wait for an `atomic` region.
        wait_atomic: Atomic;
        /// A thread begins to wait for its turn in an `ordered` region.
        wait_ordered: Mutex;
        /// A lock was acquired.
        acquired_lock: Mutex;
        /// A free nestable lock was acquired.
        acquired_nest_lock_first: Mutex;
        /// A nestable lock was acquired by its owner.
        acquired_nest_lock_next: Mutex;
        /// A `critical` region was entered.
        acquired_critical: Mutex;
        /// An `atomic` region was entered; the runtime takes a lock for it.
        acquired_atomic: Mutex;
        /// An `ordered` region was entered.
        acquired_ordered: Mutex;
        /// A lock was made.
        init_lock: Lock;
        /// A nestable lock was made.
        init_nest_lock: Lock;
        /// A lock is about to be destroyed.
        destroy_lock: Mutex;
        /// A nestable lock is about to be destroyed.
        destroy_nest_lock: Mutex;
        /// A thread has flushed.
        flush: Flush;
        /// A target construct creates a target task.
        target_task_begin: TargetTaskBegin<'_>;
        /// A target task has completed, on the host and on the device.
        target_task_end: Task;
        /// A task meets a `target data` construct.
        target_data_begin: TargetDataBegin;
        /// A task has left a `target data` region.
        target_data_end: Task;
        /// Data are about to be mapped.
        target_data_map_begin: TargetDataMapBegin<'_>;
        /// A mapping was begun; an asynchronous copy may go on.
        target_data_map_end: TargetDataMapEnd;
        /// A new task has dependences.
        task_dependences: Dependences<'_>;
        /// A task has to wait for another one.
        task_dependence_pair: TaskDependencePair;
    }
}
