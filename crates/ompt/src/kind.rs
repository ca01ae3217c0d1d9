//! What the runtime tells in numbers, as types: kinds, endpoints, states, results, flags.

use core::ffi::CStr;

use oxomp_sys::omp::omp_control_tool_result_t;
use oxomp_sys::ompt::{
    ompt_dependence_type_t, ompt_mutex_t, ompt_scope_endpoint_t, ompt_set_result_t,
    ompt_severity_t, ompt_state_t, ompt_sync_region_t, ompt_target_data_op_t, ompt_target_t,
    ompt_task_status_t, ompt_thread_t, ompt_work_t,
};

pub use oxomp_sys::omp::omp_sync_hint_t as SyncHint;
pub use oxomp_sys::ompt::ompt_cancel_flag_t as CancelFlags;
pub use oxomp_sys::ompt::ompt_frame_flag_t as FrameFlags;
pub use oxomp_sys::ompt::ompt_parallel_flag_t as ParallelFlags;
pub use oxomp_sys::ompt::ompt_target_map_flag_t as TargetMapFlags;
pub use oxomp_sys::ompt::ompt_task_flag_t as TaskFlags;

/// Defines an enumeration over a C one, with a variant for what it does not name.
macro_rules! kinds {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident: $raw:ident, $prefix:literal {
            $($(#[$item_meta:meta])* $variant:ident = $constant:ident,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
                self.raw().name().map(|name| short_name(name, $prefix))
            }
        }
    )*};
}

fn short_name(name: &'static CStr, prefix: &str) -> &'static str {
    let name = name.to_str().unwrap_or_default();
    name.strip_prefix(prefix).or_else(|| name.strip_prefix("ompt_")).unwrap_or(name)
}

kinds! {
    /// What kind of thread begins.
    pub enum ThreadKind: ompt_thread_t, "ompt_thread_" {
        Initial = INITIAL,
        Worker = WORKER,
        Other = OTHER,
        /// The runtime itself says that it does not know.
        Unspecified = UNKNOWN,
    }

    /// Which end of a region an event stands for.
    pub enum Endpoint: ompt_scope_endpoint_t, "ompt_scope_" {
        Begin = BEGIN,
        End = END,
        /// Both at once.
        BeginEnd = BEGINEND,
    }

    /// What kind of worksharing region.
    pub enum WorkKind: ompt_work_t, "ompt_work_" {
        /// A loop of unknown schedule.
        Loop = LOOP,
        Sections = SECTIONS,
        /// The thread that executes a single region.
        SingleExecutor = SINGLE_EXECUTOR,
        /// A thread that does not.
        SingleOther = SINGLE_OTHER,
        Workshare = WORKSHARE,
        Distribute = DISTRIBUTE,
        Taskloop = TASKLOOP,
        Scope = SCOPE,
        Workdistribute = WORKDISTRIBUTE,
        LoopStatic = LOOP_STATIC,
        LoopDynamic = LOOP_DYNAMIC,
        LoopGuided = LOOP_GUIDED,
        LoopOther = LOOP_OTHER,
    }

    /// What kind of synchronization region.
    pub enum SyncRegionKind: ompt_sync_region_t, "ompt_sync_region_" {
        /// Of runtimes before 5.1.
        Barrier = BARRIER,
        /// Of runtimes before 5.1.
        BarrierImplicit = BARRIER_IMPLICIT,
        BarrierExplicit = BARRIER_EXPLICIT,
        /// A barrier of the runtime's own.
        BarrierImplementation = BARRIER_IMPLEMENTATION,
        Taskwait = TASKWAIT,
        Taskgroup = TASKGROUP,
        Reduction = REDUCTION,
        /// At the end of a worksharing construct.
        BarrierImplicitWorkshare = BARRIER_IMPLICIT_WORKSHARE,
        /// At the end of a parallel region.
        BarrierImplicitParallel = BARRIER_IMPLICIT_PARALLEL,
        /// At the end of a teams region.
        BarrierTeams = BARRIER_TEAMS,
    }

    /// What kind of mutual exclusion.
    pub enum MutexKind: ompt_mutex_t, "ompt_mutex_" {
        Lock = LOCK,
        TestLock = TEST_LOCK,
        NestLock = NEST_LOCK,
        TestNestLock = TEST_NEST_LOCK,
        Critical = CRITICAL,
        Atomic = ATOMIC,
        Ordered = ORDERED,
    }

    /// Why a thread leaves a task, or what else became of it.
    pub enum TaskStatus: ompt_task_status_t, "ompt_task_" {
        Complete = COMPLETE,
        Yield = YIELD,
        Cancel = CANCEL,
        Detach = DETACH,
        EarlyFulfill = EARLY_FULFILL,
        LateFulfill = LATE_FULFILL,
        Switch = SWITCH,
        TaskwaitComplete = TASKWAIT_COMPLETE,
    }

    /// What kind of dependence.
    pub enum DependenceKind: ompt_dependence_type_t, "ompt_dependence_type_" {
        In = IN,
        Out = OUT,
        Inout = INOUT,
        Mutexinoutset = MUTEXINOUTSET,
        Source = SOURCE,
        Sink = SINK,
        Inoutset = INOUTSET,
        OutAllMemory = OUT_ALL_MEMORY,
        InoutAllMemory = INOUT_ALL_MEMORY,
    }

    /// Severity of an error directive.
    pub enum Severity: ompt_severity_t, "ompt_" {
        Warning = WARNING,
        Fatal = FATAL,
    }

    /// What a thread is doing.
    pub enum State: ompt_state_t, "ompt_state_" {
        WorkSerial = WORK_SERIAL,
        WorkParallel = WORK_PARALLEL,
        WorkReduction = WORK_REDUCTION,
        WorkFreeAgent = WORK_FREE_AGENT,
        WorkInduction = WORK_INDUCTION,
        WaitBarrier = WAIT_BARRIER,
        WaitBarrierImplicitParallel = WAIT_BARRIER_IMPLICIT_PARALLEL,
        WaitBarrierImplicitWorkshare = WAIT_BARRIER_IMPLICIT_WORKSHARE,
        WaitBarrierImplicit = WAIT_BARRIER_IMPLICIT,
        WaitBarrierExplicit = WAIT_BARRIER_EXPLICIT,
        WaitBarrierImplementation = WAIT_BARRIER_IMPLEMENTATION,
        WaitBarrierTeams = WAIT_BARRIER_TEAMS,
        WaitTaskwait = WAIT_TASKWAIT,
        WaitTaskgroup = WAIT_TASKGROUP,
        WaitMutex = WAIT_MUTEX,
        WaitLock = WAIT_LOCK,
        WaitCritical = WAIT_CRITICAL,
        WaitAtomic = WAIT_ATOMIC,
        WaitOrdered = WAIT_ORDERED,
        WaitTarget = WAIT_TARGET,
        WaitTargetMap = WAIT_TARGET_MAP,
        WaitTargetUpdate = WAIT_TARGET_UPDATE,
        Idle = IDLE,
        Overhead = OVERHEAD,
        /// The runtime does not know the thread.
        Undefined = UNDEFINED,
    }

    /// How far a runtime delivers an event.
    pub enum SetResult: ompt_set_result_t, "ompt_set_" {
        /// The event is not known.
        Error = ERROR,
        Never = NEVER,
        Impossible = IMPOSSIBLE,
        /// Now and then; a begin may lack its end.
        Sometimes = SOMETIMES,
        /// Now and then, begin and end in pairs.
        SometimesPaired = SOMETIMES_PAIRED,
        Always = ALWAYS,
    }

    /// What kind of target construct.
    pub enum TargetKind: ompt_target_t, "ompt_target_" {
        Target = TARGET,
        EnterData = ENTER_DATA,
        ExitData = EXIT_DATA,
        Update = UPDATE,
        TargetNowait = TARGET_NOWAIT,
        EnterDataNowait = ENTER_DATA_NOWAIT,
        ExitDataNowait = EXIT_DATA_NOWAIT,
        UpdateNowait = UPDATE_NOWAIT,
    }

    /// What a data operation does.
    pub enum TargetDataOpKind: ompt_target_data_op_t, "ompt_target_data_" {
        Alloc = ALLOC,
        TransferToDevice = TRANSFER_TO_DEVICE,
        TransferFromDevice = TRANSFER_FROM_DEVICE,
        Delete = DELETE,
        Associate = ASSOCIATE,
        Disassociate = DISASSOCIATE,
        Transfer = TRANSFER,
        Memset = MEMSET,
        TransferRect = TRANSFER_RECT,
        AllocAsync = ALLOC_ASYNC,
        TransferToDeviceAsync = TRANSFER_TO_DEVICE_ASYNC,
        TransferFromDeviceAsync = TRANSFER_FROM_DEVICE_ASYNC,
        DeleteAsync = DELETE_ASYNC,
        TransferAsync = TRANSFER_ASYNC,
        MemsetAsync = MEMSET_ASYNC,
        TransferRectAsync = TRANSFER_RECT_ASYNC,
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
