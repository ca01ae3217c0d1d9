//! Types for the numbers of the report's interface: states, kinds, answers.

use core::fmt;

use oxomp_sys::report_2015::{
    self as c, ompt_invoker_t, ompt_state_t, ompt_target_task_type_t, ompt_task_type_t,
    ompt_thread_type_t,
};

pub use oxomp_sys::report_2015::ompt_target_map_flag_t as MapFlags;
pub use oxomp_sys::report_2015::ompt_task_dependence_flag_t as DependenceFlags;

use crate::kind::kinds;

kinds! {
    /// The state of a thread: its present activity.
    pub enum State: ompt_state_t, "ompt_state_" {
        /// User code outside every parallel region.
        WorkSerial = WORK_SERIAL,
        /// User code inside a parallel region.
        WorkParallel = WORK_PARALLEL,
        /// Combining partial results of a reduction.
        WorkReduction = WORK_REDUCTION,
        /// Waiting for work outside a parallel region.
        Idle = IDLE,
        /// Executing code of the runtime.
        Overhead = OVERHEAD,
        /// Waiting at a barrier of any kind.
        WaitBarrier = WAIT_BARRIER,
        /// Waiting at an implicit barrier.
        WaitBarrierImplicit = WAIT_BARRIER_IMPLICIT,
        /// Waiting at a `barrier` directive.
        WaitBarrierExplicit = WAIT_BARRIER_EXPLICIT,
        /// Waiting at a `taskwait`.
        WaitTaskwait = WAIT_TASKWAIT,
        /// Waiting at the end of a `taskgroup`.
        WaitTaskgroup = WAIT_TASKGROUP,
        /// Waiting for a lock.
        WaitLock = WAIT_LOCK,
        /// Waiting for a nestable lock.
        WaitNestLock = WAIT_NEST_LOCK,
        /// Waiting to enter a `critical` region.
        WaitCritical = WAIT_CRITICAL,
        /// Waiting to enter an `atomic` region.
        WaitAtomic = WAIT_ATOMIC,
        /// Waiting for its turn in an `ordered` region.
        WaitOrdered = WAIT_ORDERED,
        /// Waiting for a target region.
        WaitTarget = WAIT_TARGET,
        /// Waiting for a `target data` construct.
        WaitTargetData = WAIT_TARGET_DATA,
        /// Waiting for a `target update` construct.
        WaitTargetUpdate = WAIT_TARGET_UPDATE,
        /// The runtime does not know the thread.
        Undefined = UNDEFINED,
    }

    /// The kind of a thread.
    pub enum ThreadKind: ompt_thread_type_t, "ompt_thread_" {
        /// A thread of the program: the first one, or another that has met OpenMP.
        Initial = INITIAL,
        /// A thread of a team that the runtime has made.
        Worker = WORKER,
        /// Any other thread of the runtime.
        Other = OTHER,
    }

    /// The kind of a task.
    pub enum TaskKind: ompt_task_type_t, "ompt_task_" {
        /// The task of an initial thread, outside all parallel regions.
        Serial = SERIAL,
        /// The implicit task of a thread in a parallel region.
        Implicit = IMPLICIT,
        /// The task of a `task` construct.
        Explicit = EXPLICIT,
        /// The task of a target construct.
        Target = TARGET,
        /// A parallel region that has no task of its own; oxomp has no such regions.
        Degenerate = DEGENERATE,
    }

    /// The construct of a target task.
    pub enum TargetTaskKind: ompt_target_task_type_t, "ompt_target_task_" {
        /// `target`.
        Target = TARGET,
        /// `target enter data`.
        EnterData = ENTER_DATA,
        /// `target exit data`.
        ExitData = EXIT_DATA,
        /// `target update`.
        Update = UPDATE,
    }

    /// The caller of a region's code on the encountering thread.
    pub enum Invoker: ompt_invoker_t, "ompt_invoker_" {
        /// The program calls it, as code by gcc does.
        Program = PROGRAM,
        /// The runtime calls it.
        Runtime = RUNTIME,
    }
}

impl State {
    /// Whether the thread waits for a mutex in this state, so that its wait id is defined.
    #[inline]
    pub const fn is_mutex_wait(self) -> bool {
        matches!(
            self,
            Self::WaitLock
                | Self::WaitNestLock
                | Self::WaitCritical
                | Self::WaitAtomic
                | Self::WaitOrdered
        )
    }
}

/// The runtime's answer to the registration of an event (Table 6 of the report).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetResult {
    /// The callback is not registered: the event is not known, or this is not the time for it.
    Error,
    /// The event may occur; the runtime cannot deliver it.
    Impossible,
    /// The event never occurs.
    Never,
    /// The event may occur, and is delivered when convenient.
    Convenient,
    /// The event may occur, and is always delivered.
    Always,
    /// An answer that this version of the SDK has no name for.
    Unknown(i32),
}

impl SetResult {
    /// The number in C.
    pub const fn raw(self) -> c::SetResult {
        match self {
            Self::Error => c::SetResult::ERROR,
            Self::Impossible => c::SetResult::IMPOSSIBLE,
            Self::Never => c::SetResult::NEVER,
            Self::Convenient => c::SetResult::CONVENIENT,
            Self::Always => c::SetResult::ALWAYS,
            Self::Unknown(number) => c::SetResult(number),
        }
    }
}

impl From<c::SetResult> for SetResult {
    fn from(raw: c::SetResult) -> Self {
        match raw {
            c::SetResult::ERROR => Self::Error,
            c::SetResult::IMPOSSIBLE => Self::Impossible,
            c::SetResult::NEVER => Self::Never,
            c::SetResult::CONVENIENT => Self::Convenient,
            c::SetResult::ALWAYS => Self::Always,
            c::SetResult(number) => Self::Unknown(number),
        }
    }
}

/// A word for the answer, or the number; the report has no names for them.
impl fmt::Display for SetResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error => f.pad("error"),
            Self::Impossible => f.pad("impossible"),
            Self::Never => f.pad("never"),
            Self::Convenient => f.pad("convenient"),
            Self::Always => f.pad("always"),
            Self::Unknown(number) => write!(f, "{number}"),
        }
    }
}
