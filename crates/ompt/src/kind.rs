//! Types for the numbers that a runtime passes: kinds, endpoints, states, results, flags.

use core::ffi::CStr;

use oxomp_sys::omp::omp_control_tool_result_t;
use oxomp_sys::ompt::{
    ompt_dependence_type_t, ompt_dispatch_t, ompt_mutex_t, ompt_scope_endpoint_t,
    ompt_set_result_t, ompt_severity_t, ompt_state_t, ompt_sync_region_t, ompt_target_data_op_t,
    ompt_target_t, ompt_task_status_t, ompt_thread_t, ompt_work_t,
};

pub use oxomp_sys::omp::omp_sync_hint_t as SyncHint;
pub use oxomp_sys::ompt::ompt_cancel_flag_t as CancelFlags;
pub use oxomp_sys::ompt::ompt_frame_flag_t as FrameFlags;
pub use oxomp_sys::ompt::ompt_parallel_flag_t as ParallelFlags;
pub use oxomp_sys::ompt::ompt_target_map_flag_t as TargetMapFlags;
pub use oxomp_sys::ompt::ompt_task_flag_t as TaskFlags;

/// Defines an enumeration over one of C, with a variant for values without a name.
macro_rules! kinds {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident: $raw:ident, $prefix:literal {
            $($(#[$item_meta:meta])* $variant:ident = $constant:ident,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $($(#[$item_meta])* $variant,)*
            /// A value that this version of the SDK has no name for.
            Unknown(i32),
        }

        impl From<$raw> for $name {
            #[inline]
            fn from(raw: $raw) -> Self {
                match raw {
                    $($raw::$constant => Self::$variant,)*
                    other => Self::Unknown(other.0),
                }
            }
        }

        impl $name {
            /// The number in C.
            pub const fn raw(self) -> $raw {
                match self {
                    $(Self::$variant => $raw::$constant,)*
                    Self::Unknown(value) => $raw(value),
                }
            }

            /// The name in C without its common prefix, if the value has one.
            pub fn name(self) -> Option<&'static str> {
                self.raw().name().map(|name| $crate::kind::short_name(name, $prefix))
            }
        }

        /// The name in C without its common prefix, or the number.
        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => write!(f, "{:#x}", self.raw().0),
                }
            }
        }
    )*};
}

pub(crate) use kinds;

pub(crate) fn short_name(name: &'static CStr, prefix: &str) -> &'static str {
    let name = name.to_str().unwrap_or_default();
    name.strip_prefix(prefix).or_else(|| name.strip_prefix("ompt_")).unwrap_or(name)
}

kinds! {
    /// The kind of a thread.
    pub enum ThreadKind: ompt_thread_t, "ompt_thread_" {
        /// The program's first thread, or another thread of the program that met OpenMP.
        Initial = INITIAL,
        /// A thread of the runtime that executes implicit tasks.
        Worker = WORKER,
        /// A thread of the runtime that executes no user code.
        Other = OTHER,
        /// The runtime does not know what kind of thread it is.
        Unspecified = UNKNOWN,
    }

    /// Which end of a region an event stands for.
    pub enum Endpoint: ompt_scope_endpoint_t, "ompt_scope_" {
        /// The region begins.
        Begin = BEGIN,
        /// The region ends.
        End = END,
        /// The event stands for both ends, because the region has no extent.
        BeginEnd = BEGINEND,
    }

    /// The kind of a worksharing region.
    pub enum WorkKind: ompt_work_t, "ompt_work_" {
        /// A worksharing loop whose schedule the runtime does not tell.
        Loop = LOOP,
        /// A `sections` region.
        Sections = SECTIONS,
        /// The thread that executes a single region.
        SingleExecutor = SINGLE_EXECUTOR,
        /// A thread that skips a single region.
        SingleOther = SINGLE_OTHER,
        /// A `workshare` region of Fortran.
        Workshare = WORKSHARE,
        /// A `distribute` region: iterations over the teams of a league.
        Distribute = DISTRIBUTE,
        /// A `taskloop` region.
        Taskloop = TASKLOOP,
        /// A `scope` region.
        Scope = SCOPE,
        /// A `workdistribute` region of Fortran.
        Workdistribute = WORKDISTRIBUTE,
        /// A worksharing loop of static schedule.
        LoopStatic = LOOP_STATIC,
        /// A worksharing loop of dynamic schedule.
        LoopDynamic = LOOP_DYNAMIC,
        /// A worksharing loop of guided schedule.
        LoopGuided = LOOP_GUIDED,
        /// A worksharing loop whose schedule is neither static nor dynamic nor guided.
        LoopOther = LOOP_OTHER,
    }

    /// The kind of a synchronization region.
    pub enum SyncRegionKind: ompt_sync_region_t, "ompt_sync_region_" {
        /// A barrier of any kind; runtimes before 5.1 report it.
        Barrier = BARRIER,
        /// An implicit barrier of any kind; runtimes before 5.1 report it.
        BarrierImplicit = BARRIER_IMPLICIT,
        /// The `barrier` directive.
        BarrierExplicit = BARRIER_EXPLICIT,
        /// A barrier that the runtime added.
        BarrierImplementation = BARRIER_IMPLEMENTATION,
        /// A `taskwait` region.
        Taskwait = TASKWAIT,
        /// The end of a `taskgroup` region.
        Taskgroup = TASKGROUP,
        /// The combination of reduction variables.
        Reduction = REDUCTION,
        /// The barrier at the end of a worksharing construct.
        BarrierImplicitWorkshare = BARRIER_IMPLICIT_WORKSHARE,
        /// The barrier at the end of a parallel region.
        BarrierImplicitParallel = BARRIER_IMPLICIT_PARALLEL,
        /// The barrier at the end of a teams region.
        BarrierTeams = BARRIER_TEAMS,
    }

    /// The kind of mutual exclusion.
    pub enum MutexKind: ompt_mutex_t, "ompt_mutex_" {
        /// `omp_set_lock`.
        Lock = LOCK,
        /// `omp_test_lock`.
        TestLock = TEST_LOCK,
        /// `omp_set_nest_lock`.
        NestLock = NEST_LOCK,
        /// `omp_test_nest_lock`.
        TestNestLock = TEST_NEST_LOCK,
        /// A `critical` region.
        Critical = CRITICAL,
        /// An `atomic` region for which the runtime takes a lock.
        Atomic = ATOMIC,
        /// An `ordered` region.
        Ordered = ORDERED,
    }

    /// The status of the task that a thread leaves or completes, or whose event is fulfilled.
    pub enum TaskStatus: ompt_task_status_t, "ompt_task_" {
        /// The task has ended.
        Complete = COMPLETE,
        /// The task met `taskyield`, and the thread executes another one.
        Yield = YIELD,
        /// The task ended because its construct was cancelled.
        Cancel = CANCEL,
        /// The task's body has ended; its event has not been fulfilled.
        Detach = DETACH,
        /// The event of a detached task was fulfilled before the task's body ended.
        EarlyFulfill = EARLY_FULFILL,
        /// The event of a detached task was fulfilled after the task's body ended.
        LateFulfill = LATE_FULFILL,
        /// The thread leaves the task for another one for any other reason.
        Switch = SWITCH,
        /// A `taskwait` with dependences has ended.
        TaskwaitComplete = TASKWAIT_COMPLETE,
    }

    /// The kind of a dependence.
    pub enum DependenceKind: ompt_dependence_type_t, "ompt_dependence_type_" {
        /// `depend(in)`.
        In = IN,
        /// `depend(out)`.
        Out = OUT,
        /// `depend(inout)`.
        Inout = INOUT,
        /// `depend(mutexinoutset)`.
        Mutexinoutset = MUTEXINOUTSET,
        /// `doacross(source)` or `depend(source)`: this iteration has reached its point.
        Source = SOURCE,
        /// `doacross(sink)` or `depend(sink)`: waiting for another iteration.
        Sink = SINK,
        /// `depend(inoutset)`.
        Inoutset = INOUTSET,
        /// `depend(out: omp_all_memory)`.
        OutAllMemory = OUT_ALL_MEMORY,
        /// `depend(inout: omp_all_memory)`.
        InoutAllMemory = INOUT_ALL_MEMORY,
    }

    /// What the instance of a dispatch event is.
    pub enum DispatchKind: ompt_dispatch_t, "ompt_dispatch_" {
        /// One iteration.
        Iteration = ITERATION,
        /// One section.
        Section = SECTION,
        /// A chunk of a worksharing loop.
        WsLoopChunk = WS_LOOP_CHUNK,
        /// A chunk of a taskloop.
        TaskloopChunk = TASKLOOP_CHUNK,
        /// A chunk of a `distribute` region.
        DistributeChunk = DISTRIBUTE_CHUNK,
    }

    /// Severity of an error directive.
    pub enum Severity: ompt_severity_t, "ompt_" {
        /// `severity(warning)`: the program goes on.
        Warning = WARNING,
        /// `severity(fatal)`: the program ends after the event.
        Fatal = FATAL,
    }

    /// The state of a thread: its present activity.
    pub enum State: ompt_state_t, "ompt_state_" {
        /// User code outside every parallel region.
        WorkSerial = WORK_SERIAL,
        /// User code inside a parallel region.
        WorkParallel = WORK_PARALLEL,
        /// Combining reduction variables.
        WorkReduction = WORK_REDUCTION,
        /// User code of a task that the thread executes as a free agent: outside of its team.
        WorkFreeAgent = WORK_FREE_AGENT,
        /// Computing induction variables.
        WorkInduction = WORK_INDUCTION,
        /// Waiting at a barrier of any kind; runtimes before 5.1 say no more.
        WaitBarrier = WAIT_BARRIER,
        /// Waiting at the end of a parallel region.
        WaitBarrierImplicitParallel = WAIT_BARRIER_IMPLICIT_PARALLEL,
        /// Waiting at the end of a worksharing construct.
        WaitBarrierImplicitWorkshare = WAIT_BARRIER_IMPLICIT_WORKSHARE,
        /// Waiting at an implicit barrier of any kind; runtimes before 5.1 say no more.
        WaitBarrierImplicit = WAIT_BARRIER_IMPLICIT,
        /// Waiting at a `barrier` directive.
        WaitBarrierExplicit = WAIT_BARRIER_EXPLICIT,
        /// Waiting at a barrier that the runtime added.
        WaitBarrierImplementation = WAIT_BARRIER_IMPLEMENTATION,
        /// Waiting at the end of a teams region.
        WaitBarrierTeams = WAIT_BARRIER_TEAMS,
        /// Waiting at a `taskwait`.
        WaitTaskwait = WAIT_TASKWAIT,
        /// Waiting at the end of a `taskgroup`.
        WaitTaskgroup = WAIT_TASKGROUP,
        /// Waiting for mutual exclusion of any kind.
        WaitMutex = WAIT_MUTEX,
        /// Waiting for a lock.
        WaitLock = WAIT_LOCK,
        /// Waiting to enter a `critical` region.
        WaitCritical = WAIT_CRITICAL,
        /// Waiting to enter an `atomic` region.
        WaitAtomic = WAIT_ATOMIC,
        /// Waiting for its turn in an `ordered` region.
        WaitOrdered = WAIT_ORDERED,
        /// Waiting for a target region.
        WaitTarget = WAIT_TARGET,
        /// Waiting for a mapping of data to a device.
        WaitTargetMap = WAIT_TARGET_MAP,
        /// Waiting for a `target update`.
        WaitTargetUpdate = WAIT_TARGET_UPDATE,
        /// A worker between parallel regions, or a thread without work.
        Idle = IDLE,
        /// Executing code of the runtime.
        Overhead = OVERHEAD,
        /// The runtime does not know the thread.
        Undefined = UNDEFINED,
    }

    /// How far a runtime delivers an event.
    pub enum SetResult: ompt_set_result_t, "ompt_set_" {
        /// The event is not known.
        Error = ERROR,
        /// The callback is registered; the event can occur and is never delivered.
        Never = NEVER,
        /// The callback is registered; the event cannot occur in this runtime.
        Impossible = IMPOSSIBLE,
        /// The callback is registered; the event is delivered now and then, and a begin may lack
        /// its end.
        Sometimes = SOMETIMES,
        /// The callback is registered; the event is delivered now and then, begin and end in pairs.
        SometimesPaired = SOMETIMES_PAIRED,
        /// The callback is registered; the event is delivered whenever it occurs.
        Always = ALWAYS,
    }

    /// The kind of a target construct.
    pub enum TargetKind: ompt_target_t, "ompt_target_" {
        /// `target`.
        Target = TARGET,
        /// `target enter data`.
        EnterData = ENTER_DATA,
        /// `target exit data`.
        ExitData = EXIT_DATA,
        /// `target update`.
        Update = UPDATE,
        /// `target nowait`.
        TargetNowait = TARGET_NOWAIT,
        /// `target enter data nowait`.
        EnterDataNowait = ENTER_DATA_NOWAIT,
        /// `target exit data nowait`.
        ExitDataNowait = EXIT_DATA_NOWAIT,
        /// `target update nowait`.
        UpdateNowait = UPDATE_NOWAIT,
    }

    /// The kind of a data operation.
    pub enum TargetDataOpKind: ompt_target_data_op_t, "ompt_target_data_" {
        /// Memory is allocated on a device.
        Alloc = ALLOC,
        /// Data are copied from the host to a device.
        TransferToDevice = TRANSFER_TO_DEVICE,
        /// Data are copied from a device to the host.
        TransferFromDevice = TRANSFER_FROM_DEVICE,
        /// Memory on a device is freed.
        Delete = DELETE,
        /// Device memory is associated with a host address.
        Associate = ASSOCIATE,
        /// An association of device memory and a host address ends.
        Disassociate = DISASSOCIATE,
        /// Data are copied between any two devices, the host included.
        Transfer = TRANSFER,
        /// Device memory is filled with a value.
        Memset = MEMSET,
        /// A rectangular part of an array is copied.
        TransferRect = TRANSFER_RECT,
        /// An asynchronous allocation on a device.
        AllocAsync = ALLOC_ASYNC,
        /// An asynchronous copy from the host to a device.
        TransferToDeviceAsync = TRANSFER_TO_DEVICE_ASYNC,
        /// An asynchronous copy from a device to the host.
        TransferFromDeviceAsync = TRANSFER_FROM_DEVICE_ASYNC,
        /// An asynchronous release of memory on a device.
        DeleteAsync = DELETE_ASYNC,
        /// An asynchronous copy between any two devices.
        TransferAsync = TRANSFER_ASYNC,
        /// An asynchronous filling of device memory.
        MemsetAsync = MEMSET_ASYNC,
        /// An asynchronous copy of a rectangular part of an array.
        TransferRectAsync = TRANSFER_RECT_ASYNC,
    }
}

impl SyncRegionKind {
    /// Whether the region is a barrier of any kind.
    pub const fn is_barrier(self) -> bool {
        matches!(
            self,
            Self::Barrier
                | Self::BarrierImplicit
                | Self::BarrierExplicit
                | Self::BarrierImplementation
                | Self::BarrierImplicitWorkshare
                | Self::BarrierImplicitParallel
                | Self::BarrierTeams
        )
    }
}

/// What `omp_control_tool` returns to the program.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlResult(pub i32);

impl ControlResult {
    /// The tool did what it was told.
    pub const SUCCESS: Self = Self(omp_control_tool_result_t::SUCCESS.0);
    /// The tool ignored the command.
    pub const IGNORED: Self = Self(omp_control_tool_result_t::IGNORED.0);
}
