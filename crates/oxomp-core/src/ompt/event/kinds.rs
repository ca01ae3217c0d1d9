//! The enumerations of events, with the numbers of the tools interface (5.2 §19.4.4).

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_sys::ompt::{
    ompt_dispatch_t, ompt_mutex_t, ompt_scope_endpoint_t, ompt_severity_t, ompt_state_t,
    ompt_sync_region_t, ompt_task_status_t, ompt_thread_t, ompt_work_t,
};

/// `ompt_scope_endpoint_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    Begin = ompt_scope_endpoint_t::BEGIN.0,
    End = ompt_scope_endpoint_t::END.0,
    BeginEnd = ompt_scope_endpoint_t::BEGINEND.0,
}

/// `ompt_thread_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadKind {
    Initial = ompt_thread_t::INITIAL.0,
    Worker = ompt_thread_t::WORKER.0,
    Other = ompt_thread_t::OTHER.0,
}

/// `ompt_sync_region_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncRegion {
    BarrierExplicit = ompt_sync_region_t::BARRIER_EXPLICIT.0,
    BarrierImplementation = ompt_sync_region_t::BARRIER_IMPLEMENTATION.0,
    Taskwait = ompt_sync_region_t::TASKWAIT.0,
    Taskgroup = ompt_sync_region_t::TASKGROUP.0,
    BarrierImplicitWorkshare = ompt_sync_region_t::BARRIER_IMPLICIT_WORKSHARE.0,
    BarrierImplicitParallel = ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL.0,
    BarrierTeams = ompt_sync_region_t::BARRIER_TEAMS.0,
}

/// `ompt_work_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Loop = ompt_work_t::LOOP.0,
    Sections = ompt_work_t::SECTIONS.0,
    SingleExecutor = ompt_work_t::SINGLE_EXECUTOR.0,
    SingleOther = ompt_work_t::SINGLE_OTHER.0,
    Workshare = ompt_work_t::WORKSHARE.0,
    Distribute = ompt_work_t::DISTRIBUTE.0,
    Taskloop = ompt_work_t::TASKLOOP.0,
    Scope = ompt_work_t::SCOPE.0,
    LoopStatic = ompt_work_t::LOOP_STATIC.0,
    LoopDynamic = ompt_work_t::LOOP_DYNAMIC.0,
    LoopGuided = ompt_work_t::LOOP_GUIDED.0,
    LoopOther = ompt_work_t::LOOP_OTHER.0,
}

/// `ompt_dispatch_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    Iteration = ompt_dispatch_t::ITERATION.0,
    Section = ompt_dispatch_t::SECTION.0,
    WorksharingLoopChunk = ompt_dispatch_t::WS_LOOP_CHUNK.0,
    TaskloopChunk = ompt_dispatch_t::TASKLOOP_CHUNK.0,
    DistributeChunk = ompt_dispatch_t::DISTRIBUTE_CHUNK.0,
}

/// `ompt_mutex_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    Lock = ompt_mutex_t::LOCK.0,
    TestLock = ompt_mutex_t::TEST_LOCK.0,
    NestLock = ompt_mutex_t::NEST_LOCK.0,
    TestNestLock = ompt_mutex_t::TEST_NEST_LOCK.0,
    Critical = ompt_mutex_t::CRITICAL.0,
    Atomic = ompt_mutex_t::ATOMIC.0,
    Ordered = ompt_mutex_t::ORDERED.0,
}

/// `ompt_task_status_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    Complete = ompt_task_status_t::COMPLETE.0,
    Yield = ompt_task_status_t::YIELD.0,
    Cancel = ompt_task_status_t::CANCEL.0,
    Detach = ompt_task_status_t::DETACH.0,
    EarlyFulfill = ompt_task_status_t::EARLY_FULFILL.0,
    LateFulfill = ompt_task_status_t::LATE_FULFILL.0,
    Switch = ompt_task_status_t::SWITCH.0,
    TaskwaitComplete = ompt_task_status_t::TASKWAIT_COMPLETE.0,
}

/// `ompt_severity_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Warning = ompt_severity_t::WARNING.0,
    Fatal = ompt_severity_t::FATAL.0,
}

/// `ompt_state_t`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    WorkSerial = ompt_state_t::WORK_SERIAL.0.cast_unsigned(),
    WorkParallel = ompt_state_t::WORK_PARALLEL.0.cast_unsigned(),
    WorkReduction = ompt_state_t::WORK_REDUCTION.0.cast_unsigned(),
    WaitBarrierImplicitParallel = ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL.0.cast_unsigned(),
    WaitBarrierImplicitWorkshare = ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE.0.cast_unsigned(),
    WaitBarrierExplicit = ompt_state_t::WAIT_BARRIER_EXPLICIT.0.cast_unsigned(),
    WaitBarrierImplementation = ompt_state_t::WAIT_BARRIER_IMPLEMENTATION.0.cast_unsigned(),
    WaitBarrierTeams = ompt_state_t::WAIT_BARRIER_TEAMS.0.cast_unsigned(),
    WaitTaskwait = ompt_state_t::WAIT_TASKWAIT.0.cast_unsigned(),
    WaitTaskgroup = ompt_state_t::WAIT_TASKGROUP.0.cast_unsigned(),
    WaitLock = ompt_state_t::WAIT_LOCK.0.cast_unsigned(),
    WaitCritical = ompt_state_t::WAIT_CRITICAL.0.cast_unsigned(),
    WaitAtomic = ompt_state_t::WAIT_ATOMIC.0.cast_unsigned(),
    WaitOrdered = ompt_state_t::WAIT_ORDERED.0.cast_unsigned(),
    Idle = ompt_state_t::IDLE.0.cast_unsigned(),
    Overhead = ompt_state_t::OVERHEAD.0.cast_unsigned(),
    Undefined = ompt_state_t::UNDEFINED.0.cast_unsigned(),
}

impl Readable for ThreadKind {
    const KIND: Kind = Kind::Signed;
}

impl Readable for State {
    const KIND: Kind = Kind::Unsigned;
}

impl SyncRegion {
    /// The state of a thread that waits in such a region.
    #[inline(always)]
    pub const fn state(self) -> State {
        match self {
            SyncRegion::BarrierExplicit => State::WaitBarrierExplicit,
            SyncRegion::BarrierImplementation => State::WaitBarrierImplementation,
            SyncRegion::Taskwait => State::WaitTaskwait,
            SyncRegion::Taskgroup => State::WaitTaskgroup,
            SyncRegion::BarrierImplicitWorkshare => State::WaitBarrierImplicitWorkshare,
            SyncRegion::BarrierImplicitParallel => State::WaitBarrierImplicitParallel,
            SyncRegion::BarrierTeams => State::WaitBarrierTeams,
        }
    }
}

impl MutexKind {
    /// The state of a thread that waits for such a mutex: nest locks have no state of their own.
    pub const fn state(self) -> State {
        match self {
            MutexKind::Critical => State::WaitCritical,
            MutexKind::Atomic => State::WaitAtomic,
            MutexKind::Ordered => State::WaitOrdered,
            _ => State::WaitLock,
        }
    }
}

/// Flag words: `ompt_parallel_flag_t`, `ompt_task_flag_t`, `ompt_frame_flag_t`.
pub mod flags {
    use oxomp_sys::ompt::{
        ompt_frame_flag_t as F, ompt_parallel_flag_t as P, ompt_task_flag_t as T,
    };

    /// The runtime itself calls the outlined function on the primary thread.
    pub const INVOKER_RUNTIME: i32 = P::INVOKER_RUNTIME.0.cast_signed();
    /// The program calls the outlined function on the primary thread, between two calls of the
    /// runtime.
    pub const INVOKER_PROGRAM: i32 = P::INVOKER_PROGRAM.0.cast_signed();
    /// A parallel region.
    pub const TEAM: i32 = P::TEAM.0.cast_signed();
    /// A teams region.
    pub const LEAGUE: i32 = P::LEAGUE.0.cast_signed();
    /// The initial task.
    pub const TASK_INITIAL: i32 = T::INITIAL.0.cast_signed();
    /// An implicit task.
    pub const TASK_IMPLICIT: i32 = T::IMPLICIT.0.cast_signed();
    /// An explicit task.
    pub const TASK_EXPLICIT: i32 = T::EXPLICIT.0.cast_signed();
    /// A target task.
    pub const TASK_TARGET: i32 = T::TARGET.0.cast_signed();
    /// The task that waits in a taskwait with dependences.
    pub const TASK_TASKWAIT: i32 = T::TASKWAIT.0.cast_signed();
    pub const TASK_UNDEFERRED: i32 = T::UNDEFERRED.0.cast_signed();
    pub const TASK_UNTIED: i32 = T::UNTIED.0.cast_signed();
    pub const TASK_FINAL: i32 = T::FINAL.0.cast_signed();
    pub const TASK_MERGEABLE: i32 = T::MERGEABLE.0.cast_signed();
    /// A frame of the runtime, by its frame pointer.
    pub const FRAME_RUNTIME: i32 = F::RUNTIME.union(F::FRAMEPOINTER).0.cast_signed();
    /// A frame of the application, by its frame pointer.
    pub const FRAME_APPLICATION: i32 = F::APPLICATION.union(F::FRAMEPOINTER).0.cast_signed();
    /// A frame of the application, by an address in its stack.
    pub const STACK_APPLICATION: i32 = F::APPLICATION.union(F::STACKADDRESS).0.cast_signed();
}
